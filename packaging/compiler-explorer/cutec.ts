// lib/compilers/cutec.ts of Compiler Explorer: a compiler of MLIR whose output is PTX.
// Its line in lib/compilers/_all.ts: export {CutecCompiler} from './cutec.js';
import path from 'node:path';

import type {PreliminaryCompilerInfo} from '../../types/compiler.interfaces.js';
import {BaseCompiler} from '../base-compiler.js';
import {CompilationEnvironment} from '../compilation-env.js';
import {PTXAsmParser} from '../parsers/asm-parser-ptx.js';
import {BaseParser} from './argument-parsers.js';

export class CutecCompiler extends BaseCompiler {
    static get key() {
        return 'cutec';
    }

    constructor(info: PreliminaryCompilerInfo, env: CompilationEnvironment) {
        super(info, env);
        this.asm = new PTXAsmParser();
    }

    override getCompilerResultLanguageId() {
        return 'ptx';
    }

    override getOutputFilename(folder: string, base: string) {
        return path.join(folder, `${base}.ptx`);
    }

    override optionsForFilter(_filters: unknown, output: string) {
        return ['-g', '-o', output];
    }

    override getArgumentParserClass() {
        return BaseParser;
    }
}

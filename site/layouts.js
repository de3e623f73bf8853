'use strict';
// Runs cute-layout (WebAssembly, createCuteLayout) on the page's expression. The
// hash of the address has view, element and expression, so that a link shares them.

// Arguments before the expression, by view.
const VIEWS = {
  Value: () => ['eval'],
  Steps: () => ['explain'],
  Table: () => ['eval', '--table'],
  Picture: element => ['show', '--html', ...(element ? ['--element=' + element] : [])],
  Text: element => ['show', ...(element ? ['--element=' + element] : [])],
};
const ELEMENTS = ['', 'f64', 'f32', 'f16', 'bf16', 'f8E4M3FN', 'i8', 'i4'];
const EXAMPLES = [
  ['Picture', '', '((2,4),8):((1,16),2)'],
  ['Steps', '', 'composition((6,2):(8,2), (4,3):(3,1))'],
  ['Steps', '', 'zipped_divide((8,6):(1,8), (2,3))'],
  ['Steps', '', 'complement((2,2):(1,6), 24)'],
  ['Value', '', 'let T = zipped_divide((64,32):(32,1), (16,8)); T(_,3)'],
  ['Picture', 'f16', 'S<3,3,3> o 0 o (8,64):(64,1)'],
  ['Picture', '', 'SM80_16x8x16_F32F16F16F32_TN'],
  ['Picture', '', 'SM75_U32x4_LDSM_N'],
  ['Steps', '', 'S<2,3,3>(72)'],
];

const byId = id => document.getElementById(id);
const state = {view: 'Value', element: '', expression: ''};

// Runs the program once, in a fresh instance: {status, output, errors}.
async function run(args) {
  const output = [], errors = [];
  const program = await createCuteLayout({
    print: line => output.push(line),
    printErr: line => errors.push(line),
    quit: (status, stop) => { throw stop; },
  });
  let status = 0;
  try {
    status = program.callMain(args);
  } catch (stop) {
    status = stop.status ?? 1;
    if (stop.status === undefined) errors.push(String(stop));
  }
  return {status, output: output.join('\n'), errors: errors.join('\n')};
}

let latest = 0;
async function update() {
  const turn = ++latest;
  const {view, element, expression} = state;
  history.replaceState(null, '', '#' + [view, element, expression]
      .map(encodeURIComponent).join('/'));
  for (const tab of byId('views').children)
    tab.setAttribute('aria-selected', tab.textContent === view);
  const {status, output, errors} = expression.trim()
      ? await run([...VIEWS[view](element), expression])
      : {status: 0, output: '', errors: ''};
  if (turn !== latest) return;
  const isPage = view === 'Picture' && !status && output;
  byId('text').hidden = isPage && !errors;
  byId('picture').hidden = !isPage;
  byId('text').classList.toggle('error', status !== 0);
  byId('text').textContent = [isPage ? '' : output, errors].filter(Boolean).join('\n');
  if (isPage) byId('picture').srcdoc = output;
}

function set(change) {
  Object.assign(state, change);
  if (byId('expression').value !== state.expression)
    byId('expression').value = state.expression;
  byId('element').value = state.element;
  return update();
}

// The state of the address, or of the first example.
function readHash() {
  const [view, element, expression] = location.hash.slice(1).split('/').map(part => {
    try { return decodeURIComponent(part); } catch { return ''; }
  });
  if (!Object.hasOwn(VIEWS, view) || expression === undefined)
    return Object.fromEntries(['view', 'element', 'expression']
        .map((key, i) => [key, EXAMPLES[0][i]]));
  return {view, element: ELEMENTS.includes(element) ? element : '', expression};
}

for (const view of Object.keys(VIEWS)) {
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.setAttribute('role', 'tab');
  tab.textContent = view;
  tab.onclick = () => set({view});
  byId('views').append(tab, ' ');
}
for (const element of ELEMENTS) byId('element').add(new Option(element || '-', element));
byId('examples').add(new Option('Examples', ''));
EXAMPLES.forEach((example, i) => byId('examples').add(new Option(example[2], i)));
byId('examples').onchange = event => {
  const example = EXAMPLES[event.target.value];
  event.target.value = '';
  if (example) set({view: example[0], element: example[1], expression: example[2]});
};
byId('element').onchange = event => set({element: event.target.value});
let pause;
byId('expression').oninput = event => {
  clearTimeout(pause);
  pause = setTimeout(() => set({expression: event.target.value}), 150);
};
byId('share').onclick = async () => {
  await navigator.clipboard?.writeText(location.href);
  byId('share').textContent = 'Copied';
  setTimeout(() => { byId('share').textContent = 'Copy link'; }, 1500);
};
addEventListener('hashchange', () => set(readHash()));
set(readHash()).then(() => run(['operations']))
    .then(({output}) => { byId('operations').textContent = output; });

;;; cute-mlir.el --- cute-lsp in Emacs  -*- lexical-binding: t; -*-

;; (load "/path/to/cute-mlir.el"): a mode for .mlir files, in which Eglot, part of Emacs 29
;; and a package before, speaks to cute-lsp.

;;; Code:

(defvar eglot-server-programs)

(defvar cute-mlir-keywords
  '(("%[A-Za-z0-9_$.#-]+" . font-lock-variable-name-face)
    ("@[A-Za-z0-9_$.]+" . font-lock-function-name-face)
    ("![A-Za-z0-9_$.]+" . font-lock-type-face)
    ("\\_<[a-z_]+\\.[a-z0-9_.]+\\_>" . font-lock-keyword-face)))

(defvar cute-mlir-syntax
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?. "_" table)
    table))

;;;###autoload
(define-derived-mode cute-mlir-mode prog-mode "MLIR"
  "Major mode for the cute dialect of MLIR."
  :syntax-table cute-mlir-syntax
  (setq-local comment-start "// ")
  (setq-local font-lock-defaults '(cute-mlir-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mlir\\'" . cute-mlir-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(cute-mlir-mode "cute-lsp")))

(provide 'cute-mlir)
;;; cute-mlir.el ends here

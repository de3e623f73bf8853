;; Opens a file with Eglot as M-x eglot does; prints what the server says of it, and a hover.
;; Part of Emacs 29; before, Debian's package elpa-eglot.
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/eglot-*"))
  (add-to-list 'load-path folder))
(require 'eglot)
(setq eglot-sync-connect 20)

(defun wait-for (what)
  (let ((rounds 0))
    (while (and (< rounds 200) (not (funcall what)))
      (accept-process-output nil 0.1)
      (setq rounds (1+ rounds)))))

(call-interactively #'eglot)
(wait-for (lambda () (flymake-start) (flymake-diagnostics)))
(dolist (one (flymake-diagnostics))
  (goto-char (flymake-diagnostic-beg one))
  (princ (format "%d:%d: %s\n" (line-number-at-pos) (1+ (current-column))
                 (flymake-diagnostic-text one))))
(goto-char (point-min))
(search-forward "coalesce  (%")
(let ((answer (jsonrpc-request (eglot-current-server) :textDocument/hover
                               (eglot--TextDocumentPositionParams))))
  (princ (plist-get (plist-get answer :contents) :value)))
(eglot-shutdown (eglot-current-server))

(function) @function.outer
(function (block) @function.inner)
(function parameters: (parentheses (value) @parameter.inner))
(comment) @comment.outer

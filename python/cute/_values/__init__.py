"""Values of programs: numbers, layouts, tensors, vectors, atoms, and functions on them."""

// Faults of the host in code of a kernel: an address where nothing is, or an
// integer divided by zero, end the run and not the program.
#pragma once

// Between the two, signals of faults in kernels of any thread of the host end
// their runs; others go to who had them before. Runs may overlap.
void cuteSimGuardBegin(void);
void cuteSimGuardEnd(void);

// A thread of the host that runs kernels has a stack for signals.
void *cuteSimGuardEnter(void);
void cuteSimGuardLeave(void *stack);

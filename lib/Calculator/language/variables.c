// The life of a calculator, and its variables.
#include "Calculator/language/calculator.h"
#include "Support/arena.h"
#include "Support/text.h"

CuteCalculator *cuteCalculatorCreate(CuteContext context) {
  CuteCalculator *calculator = cuteAllocate(sizeof *calculator);
  *calculator = (CuteCalculator){.context = context};
  return calculator;
}

void cuteCalculatorDestroy(CuteCalculator *calculator) {
  if (!calculator)
    return;
  for (size_t i = 0; i < calculator->numVariables; ++i)
    free(calculator->variables[i].name);
  free(calculator->variables);
  free(calculator);
}

static CuteVariable *find(const CuteCalculator *calculator,
                          CuteStringRef name) {
  for (size_t i = 0; i < calculator->numVariables; ++i)
    if (cuteTextEquals(name, calculator->variables[i].name))
      return &calculator->variables[i];
  return NULL;
}

bool cuteCalculatorFindVariable(const CuteCalculator *calculator,
                                CuteStringRef name, CuteValue *value) {
  const CuteVariable *variable = find(calculator, name);
  if (variable)
    *value = variable->value;
  return variable;
}

void cuteCalculatorSetVariable(CuteCalculator *calculator, CuteStringRef name,
                               CuteValue value) {
  CuteVariable *variable = find(calculator, name);
  if (!variable) {
    size_t n = calculator->numVariables++;
    calculator->variables = cuteReallocate(
        calculator->variables, (n + 1) * sizeof *calculator->variables);
    variable = &calculator->variables[n];
    variable->name = cuteAllocate(name.length + 1);
    memcpy(variable->name, name.data, name.length);
    variable->name[name.length] = '\0';
  }
  variable->value = value;
}

const char *cuteCalculatorGetVariable(const CuteCalculator *calculator,
                                      size_t i, CuteValue *value) {
  if (i >= calculator->numVariables)
    return NULL;
  *value = calculator->variables[i].value;
  return calculator->variables[i].name;
}

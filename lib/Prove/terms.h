// Integers of a kernel as polynomials of symbols: sizes, indices of threads and
// blocks, counters of loops, and what divisions and choices make of them.
//
// A term is exact for all values of its symbols. Terms and conditions are
// interned: equal ones are one. Integers of the kernel are
// taken for unbounded ones: index arithmetic that overflows is not seen.
#pragma once

#include "Support/arena.h"
#include "Support/hash_table.h"

typedef struct CuteTerms CuteTerms;
typedef struct CuteSymbol CuteSymbol;
typedef const struct CuteTermImpl *CuteTerm;
typedef const struct CuteConditionImpl *CuteCondition;

// In the order in which the values of a counterexample are made small.
typedef enum CuteSymbolKind {
  CUTE_SYMBOL_SIZE,   // a parameter
  CUTE_SYMBOL_BLOCK,  // an index of a block
  CUTE_SYMBOL_THREAD, // an index of a thread
  CUTE_SYMBOL_ROUND,  // the number of a loop's round, from 0
  CUTE_SYMBOL_OPAQUE, // an integer known only by its range
  CUTE_SYMBOL_FLOOR,  // floor(a / b) for b of at least 1
  CUTE_SYMBOL_MODULO, // a - b * floor(a / b) for b of at least 1
  CUTE_SYMBOL_XOR,    // a ^ b, not negative
  CUTE_SYMBOL_CHOICE, // condition ? a : b
} CuteSymbolKind;

enum { CUTE_UNBOUNDED_BITS = 60 };
#define CUTE_UNBOUNDED (INT64_C(1) << CUTE_UNBOUNDED_BITS)

// From low to high; from -CUTE_UNBOUNDED or to CUTE_UNBOUNDED: without an end.
typedef struct CuteInterval {
  int64_t low, high;
} CuteInterval;

// floor(a / b) for b of at least 1.
static inline int64_t cuteFloorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && a < 0);
}

struct CuteSymbol {
  CuteTerms *terms; // whose it is
  CuteSymbolKind kind;
  size_t id;
  const char *name; // of a size: "arg0.shape[1]"; opaque: the reason
  CuteInterval range;
  int64_t divisor; // of SIZE and XOR what divides them
  CuteTerm a, b;
  CuteTerm definition; // MODULO and XOR: the same by floors
  CuteCondition condition;
};

enum { CUTE_MAX_DEGREE = 4 };

typedef struct CuteMonomial {
  int64_t coefficient;
  size_t degree;
  const CuteSymbol *factors[CUTE_MAX_DEGREE]; // by ascending id, then null
} CuteMonomial;

// The sum of monomials with coefficients other than 0, sorted.
struct CuteTermImpl {
  CuteTerms *terms; // whose it is
  size_t count;
  CuteMonomial monomials[];
};

// Says of two conditions whether the second follows from the first.
typedef struct CuteImplication {
  CuteCondition condition, c;
  bool is;
} CuteImplication;

enum { CUTE_MAX_IMPLICATIONS = 8192 };

struct CuteTerms {
  CuteArena arena;
  CuteSymbol **symbols; // by id
  size_t count, capacity;
  CuteHashTable known, conditions, computed; // terms; symbols of terms
  CuteArenaMark mark;                        // before the term that began last
  CuteImplication implications[CUTE_MAX_IMPLICATIONS]; // by a hash of both
};

void cuteTermsInit(CuteTerms *terms);
void cuteTermsDestroy(CuteTerms *terms);

//===-- Symbols -----------------------------------------------------------===//

// A new symbol. The name must live as long as the terms.
CuteSymbol *cuteSymbolCreate(CuteTerms *terms, CuteSymbolKind kind,
                             const char *name, CuteInterval range);

//===-- Terms -------------------------------------------------------------===//

CuteTerm cuteTermGetConstant(CuteTerms *terms, int64_t value);
CuteTerm cuteTermGetSymbol(const CuteSymbol *symbol);

// A monomial alone.
CuteTerm cuteTermGetMonomial(CuteTerms *terms, const CuteMonomial *m);

// Multiplies a monomial; false where there are too many factors.
bool cuteMonomialMultiply(CuteMonomial *product, const CuteMonomial *b);

// A number that divides all values of a monomial: a size's divisor, or 1.
int64_t cuteMonomialGetScale(const CuteMonomial *m);

// Divides a monomial by a symbol; false if it is not a factor.
bool cuteMonomialDivide(CuteMonomial *m, const CuteSymbol *by);

// An opaque one for the reason.
CuteTerm cuteTermGetUnknown(CuteTerms *terms, const char *reason);

// The symbol that the term is; null for others.
const CuteSymbol *cuteTermGetOnlySymbol(CuteTerm term);

bool cuteTermIsConstant(CuteTerm term, int64_t *value);

// Sums and products. Opaque where a coefficient overflows or a degree is more
// than CUTE_MAX_DEGREE.
CuteTerm cuteTermAdd(CuteTerm a, CuteTerm b);
CuteTerm cuteTermSubtract(CuteTerm a, CuteTerm b);
CuteTerm cuteTermScale(CuteTerm a, int64_t factor);
CuteTerm cuteTermMultiply(CuteTerm a, CuteTerm b);
CuteTerm cuteTermAddConstant(CuteTerm a, int64_t value);

// floor(a / divisor) and a - divisor * floor(a / divisor), for divisors of at
// least 1.
CuteTerm cuteTermFloor(CuteTerm a, int64_t divisor);
CuteTerm cuteTermModulo(CuteTerm a, int64_t divisor);

// floor(a / b) and a - b * floor(a / b) where b is at least 1.
CuteTerm cuteTermQuotient(CuteTerm a, CuteTerm b);
CuteTerm cuteTermCeilQuotient(CuteTerm a, CuteTerm b); // ceil(a / b)
CuteTerm cuteTermRest(CuteTerm a, CuteTerm b);

CuteTerm cuteTermChoose(CuteCondition condition, CuteTerm a, CuteTerm b);

// Bits of integers in two's complement. Opaque if the result is not a
// polynomial.
CuteTerm cuteTermAndBits(CuteTerm a, CuteTerm b);
CuteTerm cuteTermOrBits(CuteTerm a, CuteTerm b);
CuteTerm cuteTermXorBits(CuteTerm a, CuteTerm b);

//===-- Facts -------------------------------------------------------------===//

// An interval that has all values of the term.
CuteInterval cuteTermGetRange(CuteTerm term);

// A number of at least 1 that divides all values of the term; 0 divides 0.
int64_t cuteTermGetDivisor(CuteTerm term);

// The symbol of that kind that is computed of the same, or a new one.
CuteTerm cuteTermIntern(CuteSymbol like);

// Replaces symbols, by id; null: one stays.
typedef struct CuteRenaming {
  CuteTerm *by;
  size_t count;
} CuteRenaming;

// A renaming in which all symbols so far stay.
CuteRenaming cuteRenamingCreate(CuteTerms *terms);

// The term with symbols replaced; what is computed of them is computed anew.
CuteTerm cuteTermRename(CuteTerm term, CuteRenaming to);

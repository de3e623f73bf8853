#include "Simulator/checks/shadow.h"
#include "Simulator/checks/shadow_races.h"
#include "Support/growing_array.h"

// Place 0 is nobody's.
void cuteSimReadersReset(CuteSimReaders *readers) {
  readers->count = 0;
  readers->unused = 0;
}

void cuteSimReadersAdd(CuteSimReaders *readers, uint32_t *list,
                       CuteSimReader reader) {
  uint32_t at = readers->unused;
  reader.next = *list;
  if (at) {
    readers->unused = readers->data[at].next;
    readers->data[at] = reader;
  } else {
    if (!readers->count)
      CUTE_PUSH(readers->data, readers->count, readers->capacity,
                (CuteSimReader){0});
    at = (uint32_t)readers->count;
    CUTE_PUSH(readers->data, readers->count, readers->capacity, reader);
  }
  *list = at;
}

void cuteSimReadersForget(CuteSimReaders *readers, uint32_t *list,
                          const CuteSimThread *thread, CuteSimReader next) {
  uint32_t own = cuteSimShadowThreadOf(next.word);
  while (*list) {
    CuteSimReader *reader = &readers->data[*list];
    uint32_t at = *list;
    if (cuteSimShadowThreadOf(reader->word) != own &&
        !(thread && cuteSimShadowIsKnown(thread, reader->word))) {
      list = &reader->next;
      continue;
    }
    *list = reader->next;
    reader->next = readers->unused;
    readers->unused = at;
  }
}

CuteSimReader cuteSimReadersFind(const CuteSimReaders *readers, uint32_t list,
                                 const CuteSimThread *thread,
                                 CuteSimReader found) {
  for (; list; list = readers->data[list].next) {
    CuteSimReader reader = readers->data[list];
    bool isProduct =
        cuteSimClockIsOfProducts(thread, cuteSimShadowThreadOf(reader.word));
    if ((!found.word || isProduct) &&
        !cuteSimShadowIsKnown(thread, reader.word))
      found = reader;
  }
  return found;
}

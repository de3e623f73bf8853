// The kernels of a module on a device, to be launched with their parameters as
// they are, by pointers: the quick way for compiled host functions.
#pragma once

#include "Support/host_abi.h"
#include "cute/Host.h"

// CUevents that a launch records, or null.
typedef struct CuteLaunchEvents {
  void *started, *triggered;
  bool atBlockStart; // the second
} CuteLaunchEvents;

// Starts kernel `number`, whose hidden tensor maps are made from its other
// parameters. `words` are indexed by CuteHostWord.
CuteStatus cuteKernelSetLaunch(CuteKernelSet *set, int32_t number,
                               const int64_t *words, void **parameters,
                               CuteLaunchEvents events);

// The architecture of this machine's GPU.
#ifndef CUTE_TOOLS_NATIVE_ARCH_H
#define CUTE_TOOLS_NATIVE_ARCH_H

// The name of device 0's architecture, sm_90a rather than sm_90 where there is
// one, or null with a message where there is no driver, device, or name for it.
const char *cuteNativeArchGet(const char **message);

#endif

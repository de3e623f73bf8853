// The architecture of this machine's GPU.
#pragma once

// The name of device 0's architecture, sm_90a rather than sm_90 if it exists,
// or null with a message without a driver, a device, or a name for it.
const char *cuteNativeArchGet(const char **message);

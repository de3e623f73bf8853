// The architecture of this machine's GPU.
#pragma once

// The name of device 0's architecture, sm_90a rather than sm_90 where there is
// one, or null with a message where there is no driver, device, or name for it.
const char *cuteNativeArchGet(const char **message);

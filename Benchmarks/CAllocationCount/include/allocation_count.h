#pragma once

// How often the process has asked for memory since it started.
unsigned long allocation_count(void);

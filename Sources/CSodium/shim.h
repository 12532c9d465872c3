// Declarations of sodium that Swift calls as they are.
#include <sodium.h>

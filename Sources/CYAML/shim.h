// Declarations of yaml that Swift calls as they are.
#include <yaml.h>

-- E0008: a directive that no preprocessor has expanded
#include "types.m"
var x : 0..3;
startstate begin x := 0; end;

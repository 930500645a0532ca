#include "program.h"

int main(int argc, char** argv) { return thixo::run_program(argc, argv); }

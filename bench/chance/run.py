"""CPU seconds of build and check, beside Storm where stormpy is installed. See README.md."""

import os
import subprocess
import sys
import time

ROWS = [
    ("mdps/consensus/coin6.nm", "K=2", 'Pmin=? [ F "finished"&"all_coins_equal_1" ]'),
    ("ctmcs/peer2peer/peer2peer4_5.sm", "", 'P=? [ true U<=1.1 "done" ]'),
    ("mdps/consensus/coin4.nm", "K=4", 'Pmin=? [ F "finished"&"all_coins_equal_1" ]'),
    ("mdps/csma/csma4_2.nm", "", 'R{"time"}max=?[ F "all_delivered" ]'),
    ("mdps/consensus/coin10.nm", "K=2", 'Pmin=? [ F "finished"&"all_coins_equal_1" ]'),
    ("ctmcs/peer2peer/peer2peer5_8.sm", "", 'P=? [ true U<=1.1 "done" ]'),
    ("dtmcs/brp/brp.pm", "N=512,MAX=5", "P=? [ true U s=5 ]"),
    ("dtmc/crowds/crowds.prism", "TotalRuns=5,CrowdSize=15", "P=? [ F observe0>1 ]"),
    ("dtmc/nand/nand.prism", "N=20,K=4", "P=? [ F s=4 & z/N<0.1 ]"),
    ("mdps/zeroconf/zeroconf.nm", "reset=true,N=1000,K=8,err=0.1", "Pmin=?[ true U (l=4 & ip=1) ]"),
]


def storm(path, constants, formula, bisimulation):
    import stormpy

    begun = time.process_time()
    program = stormpy.parse_prism_program(path, prism_compat=path.endswith(".sm"))
    program, properties = stormpy.preprocess_symbolic_input(
        program, stormpy.parse_properties_for_prism_program(formula, program), constants
    )
    model = stormpy.build_model(program.as_prism_program(), properties)
    if bisimulation:
        model = stormpy.perform_bisimulation(model, properties, stormpy.BisimulationType.STRONG)
    result = stormpy.model_checking(model, properties[0])
    return time.process_time() - begun, result.at(model.initial_states[0])


def main():
    folder = sys.argv[1]
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(os.path.dirname(__file__), "../../target"))
    values = os.path.join(target, "release/examples/values")
    print("model\tconstants\ttool\tseconds\tresult")
    for index, (model, constants, formula) in enumerate(ROWS):
        path = os.path.join(folder, model)
        for mode in [[], ["none"]]:
            if mode and (index == 4 or index == 5):
                continue
            try:
                done = subprocess.run([values, path, constants, formula, *mode], capture_output=True, text=True, timeout=600)
                line = done.stdout.strip().split("\t")
                print(model, constants, "burnside" + "".join(f" --reduce {m}" for m in mode), line[0], line[-1], sep="\t")
            except subprocess.TimeoutExpired:
                print(model, constants, "burnside", "timeout", "", sep="\t")
        if index in (4, 5):
            continue
        try:
            for bisimulation in [False, True]:
                seconds, value = storm(path, constants, formula, bisimulation)
                print(model, constants, "storm bisimulation" if bisimulation else "storm sparse", f"{seconds:.2f}", value, sep="\t")
        except ImportError:
            print(model, constants, "storm", "not installed", "", sep="\t")


main()

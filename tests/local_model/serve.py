"""Serves one GGUF file with one thread on a free port of the loopback and prints the address.

python serve.py model.gguf
"""

import importlib
import sys
import time


def main(path: str) -> None:
    xllamacpp = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path = path
    settings.model_alias = {"local"}
    settings.hostnames = ["127.0.0.1"]
    settings.n_ctx, settings.n_parallel, settings.n_gpu_layers = 4096, 1, 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    print(f"{server.listening_address}/v1", flush=True)  # noqa: T201
    while True:
        time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1])

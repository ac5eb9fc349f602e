#!/usr/bin/env python3
"""Checks Kubernetes manifests against the schemas of the API: check_manifests.py FILE. Prints what each document is."""
import sys

import kubernetes_validate
import yaml

for document in yaml.safe_load_all(open(sys.argv[1])):
    # Strict: an unknown member is an error, as it would be silently dropped by a cluster.
    kubernetes_validate.validate(document, kubernetes_validate.latest_version(), strict=True)
    print(document["kind"], document["metadata"]["name"])

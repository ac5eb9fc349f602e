# A shell script makes a pipeline.
# runtime: violation clone(0)
echo DID IT | while read -r line; do echo "$line"; done

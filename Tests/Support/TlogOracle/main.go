// Checks a ledger and proofs about it with Go's own tlog and note packages, and nothing of ours.
//
//	tlog-oracle VERIFIER-KEY LOG [PROOF...]
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// fail says what is wrong and ends the program.
func fail(format string, words ...interface{}) {
	fmt.Fprintf(os.Stderr, format+"\n", words...)
	os.Exit(1)
}

// hashes keeps the stored hashes of a tree in memory.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		if index >= int64(len(h)) {
			return nil, fmt.Errorf("no hash %d", index)
		}
		found = append(found, h[index])
	}
	return found, nil
}

// line is what a line of the log may hold.
type line struct {
	Commitment string
	Checkpoint string
}

// checkpoint is a tree head: C2SP tlog-checkpoint.
type checkpoint struct {
	size int64
	root tlog.Hash
}

// open checks the signature of a checkpoint and reads it.
func open(text string, verifier note.Verifier) checkpoint {
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		fail("a checkpoint: %v", err)
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		fail("a checkpoint has another origin than its key")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		fail("a size: %v", err)
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		fail("a root: %v", err)
	}
	return checkpoint{size, root}
}

// leaf is the commitment of a line.
func leaf(text []byte) []byte {
	var parsed line
	if err := json.Unmarshal(text, &parsed); err != nil {
		fail("a line: %v", err)
	}
	commitment, err := hex.DecodeString(parsed.Commitment)
	if err != nil {
		fail("a commitment: %v", err)
	}
	return commitment
}

// prove checks one proof against the ledger's own tree.
func prove(path string, verifier note.Verifier, tree hashes) {
	text, err := os.ReadFile(path)
	if err != nil {
		fail("%v", err)
	}
	parts := strings.SplitN(string(text), "\n\n", 2)
	head := open(parts[1], verifier)
	lines := strings.Split(parts[0], "\n")
	words := 2
	if lines[0] == "c2sp.org/tlog-proof@v1" {
		words = 3
	}
	var nodes []tlog.Hash
	for _, text := range lines[words:] {
		node, err := tlog.ParseHash(text)
		if err != nil {
			fail("a node: %v", err)
		}
		nodes = append(nodes, node)
	}
	if words == 3 {
		data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
		if err != nil {
			fail("extra: %v", err)
		}
		index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
		if err != nil {
			fail("index: %v", err)
		}
		if err := tlog.CheckRecord(nodes, head.size, head.root, index, tlog.RecordHash(leaf(data))); err != nil {
			fail("inclusion: %v", err)
		}
		own, err := tlog.ProveRecord(head.size, index, tree)
		if err != nil || fmt.Sprint(own) != fmt.Sprint(tlog.RecordProof(nodes)) {
			fail("the proof of %d is another than Go's: %v", index, err)
		}
		return
	}
	old := strings.Split(lines[1], " ")
	size, err := strconv.ParseInt(old[1], 10, 64)
	if err != nil {
		fail("old: %v", err)
	}
	root, err := tlog.ParseHash(old[2])
	if err != nil {
		fail("old: %v", err)
	}
	if err := tlog.CheckTree(nodes, head.size, head.root, size, root); err != nil {
		fail("consistency: %v", err)
	}
	own, err := tlog.ProveTree(head.size, size, tree)
	if err != nil || fmt.Sprint(own) != fmt.Sprint(tlog.TreeProof(nodes)) {
		fail("the proof from %d is another than Go's: %v", size, err)
	}
}

func main() {
	if len(os.Args) < 3 {
		fail("usage: tlog-oracle VERIFIER-KEY LOG [PROOF...]")
	}
	verifier, err := note.NewVerifier(os.Args[1])
	if err != nil {
		fail("the key: %v", err)
	}
	file, err := os.Open(os.Args[2])
	if err != nil {
		fail("%v", err)
	}
	var tree hashes
	var count int64
	heads := 0
	root := tlog.Hash{}
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var parsed line
		if err := json.Unmarshal(scanner.Bytes(), &parsed); err != nil {
			fail("a line: %v", err)
		}
		if parsed.Commitment != "" {
			more, err := tlog.StoredHashes(count, leaf(scanner.Bytes()), tree)
			if err != nil {
				fail("record %d: %v", count, err)
			}
			tree = append(tree, more...)
			count++
		} else if parsed.Checkpoint != "" {
			head := open(parsed.Checkpoint, verifier)
			root, err = tlog.TreeHash(count, tree)
			if err != nil || head.size != count || head.root != root {
				fail("the checkpoint of %d records: %v", head.size, err)
			}
			heads++
		}
	}
	for _, path := range os.Args[3:] {
		prove(path, verifier, tree)
	}
	fmt.Printf("%d records, %d checkpoints, %d proofs, root %s\n", count, heads, len(os.Args)-3, hex.EncodeToString(root[:]))
}

import EscrowDiagnostics
import EscrowJSON
import Testing

@testable import EscrowLedger

@Suite struct ProofTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    @Test func everyProofOfEveryTreeHoldsAndNoneHoldsOfAnother() {
        var tree = MerkleTree()
        var roots: [[UInt8]] = []
        var leaves: [[UInt8]] = []
        for index in 0..<40 {
            leaves.append(Hashing.leaf(commitment: [UInt8(index)]))
            tree.append(leaf: leaves[index])
            roots.append(tree.root(UInt64(index + 1)) ?? [])
        }
        for size in 1...40 {
            for index in 0..<size {
                let path = tree.inclusion(of: UInt64(index), size: UInt64(size)) ?? []
                for other in [index, index + 1, index ^ 1] where other < size {
                    #expect(
                        MerkleProof.isIncluded(
                            leaf: leaves[index], index: UInt64(other), size: UInt64(size),
                            root: roots[size - 1], path: path) == (other == index))
                }
                let old = index + 1
                let steps = tree.consistency(from: UInt64(old), size: UInt64(size)) ?? []
                for other in [size, max(1, size - 1)] where other >= old {
                    let holds = MerkleProof.isConsistent(
                        old: UInt64(old), oldRoot: roots[old - 1], new: UInt64(size),
                        newRoot: roots[other - 1],
                        path: steps)
                    #expect(holds == (other == size))
                }
            }
        }
    }

    @Test func aTreeWhoseBeginningIsGoneGivesTheSameProofs() {
        var whole = MerkleTree()
        var frontier = MerkleFrontier()
        let leaves = (0..<37).map { Hashing.leaf(commitment: [$0]) }
        for leaf in leaves { whole.append(leaf: leaf) }
        for gone in 0..<37 {
            var tree = MerkleTree()
            if gone > 0 { tree.skip(to: frontier) }
            for leaf in leaves[gone...] { tree.append(leaf: leaf) }
            #expect(tree.root(37) == whole.root(37))
            for index in gone..<37 {
                #expect(
                    tree.inclusion(of: UInt64(index), size: 37)
                        == whole.inclusion(of: UInt64(index), size: 37))
                #expect(
                    tree.consistency(from: UInt64(index + 1), size: 37)
                        == whole.consistency(from: UInt64(index + 1), size: 37))
            }
            frontier.append(leaf: leaves[gone])
        }
    }

    @Test func aProofIsReadAsItIsWrittenAndOneThatWasChangedDoesNotHold() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        for index in 1...6 { try ledger.append(.decision, fields: ["index": .integer(Int64(index))]) }
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        let proof = try reader.prove(3)
        #expect(try LedgerProof(text: proof.text) == proof)
        #expect(try proof.verify(key)?.fields["index"]?.integer == 2)
        #expect(proof.text.hasPrefix("c2sp.org/tlog-proof@v1\nextra "))
        let growth = try reader.proveConsistency(from: 4)
        #expect(try LedgerProof(text: growth.text) == growth)
        for text in [proof.text, growth.text] {
            let bytes = Array(text.utf8)
            for offset in stride(from: 0, to: bytes.count, by: 3) {
                var changed = bytes
                changed[offset] ^= 1
                let text = String(decoding: changed, as: UTF8.self)
                #expect(throws: Diagnostic(.proofInvalid, ""), "offset \(offset)") {
                    _ = try LedgerProof(text: text).verify(key)
                }
            }
        }
        #expect(throws: Diagnostic(.proofInvalid, "")) { _ = try proof.verify(try TestKey(seed: 8)) }
        #expect(throws: Diagnostic(.notProvable, "")) { _ = try reader.prove(8) }
        #expect(throws: Diagnostic(.notProvable, "")) { _ = try reader.proveConsistency(from: 8) }
    }
}

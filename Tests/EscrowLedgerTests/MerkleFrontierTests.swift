import EscrowJSON
import Testing

@testable import EscrowLedger

@Suite struct MerkleFrontierTests {
    /// The leaves and roots that the projects around Certificate Transparency test with.
    static let leaves = [
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    ]
    static let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]

    @Test func theKnownRootsComeOut() {
        var frontier = MerkleFrontier()
        #expect(
            Hex.string(frontier.root) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        for (leaf, root) in zip(Self.leaves, Self.roots) {
            frontier.append(leaf: Hashing.sha256([0] + (Hex.read(leaf.utf8) ?? [])))
            #expect(Hex.string(frontier.root) == root)
        }
    }

    @Test func theRootIsThatOfTheRecursiveDefinition() {
        // RFC 9162 section 2.1.1: split at the largest power of two below the number of leaves.
        func root(_ leaves: ArraySlice<[UInt8]>) -> [UInt8] {
            guard leaves.count > 1, let first = leaves.first else { return leaves.first ?? Hashing.sha256() }
            _ = first
            var split = 1
            while split * 2 < leaves.count { split *= 2 }
            return Hashing.node(root(leaves.prefix(split)), root(leaves.dropFirst(split)))
        }
        var frontier = MerkleFrontier()
        var leaves: [[UInt8]] = []
        for index in 0..<130 {
            let leaf = Hashing.leaf(commitment: [UInt8(index)])
            leaves.append(leaf)
            frontier.append(leaf: leaf)
            #expect(frontier.root == root(leaves[...]))
            #expect(frontier.peaks.count == leaves.count.nonzeroBitCount)
        }
    }

    @Test func aFrontierThatDoesNotFitItsSizeIsRefused() {
        let peak = [UInt8](repeating: 0, count: 32)
        #expect(MerkleFrontier(size: 3, peaks: [peak]) == nil)
        #expect(MerkleFrontier(size: 1, peaks: [[1, 2]]) == nil)
        #expect(MerkleFrontier(size: 3, peaks: [peak, peak])?.size == 3)
    }
}

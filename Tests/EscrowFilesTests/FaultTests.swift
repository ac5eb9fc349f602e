import EscrowDiagnostics
import EscrowFiles
import FaultyDisk
import Glibc
import TemporaryFolder
import Testing

/// Every small file of the home is replaced by `SecureFile.replace`: grants, preferences, keys, restrictions, the store.
@Suite struct FaultTests {
    let scratch: TemporaryFolder
    var folder: String { scratch.path }
    private static let old = Array("the old content".utf8)
    private static let new = [UInt8](repeating: 0x6E, count: 70_000)

    init() throws {
        scratch = try TemporaryFolder("escrow-files")
    }

    /// Lets each call of a replacement fail in turn. `hadOld` is whether there was a file before.
    @Test(arguments: FaultyDisk.Fault.allCases, [true, false])
    func aReplacedFileIsTheOldOneOrTheNewOneAtAnyCall(fault: FaultyDisk.Fault, hadOld: Bool) throws {
        var struck = 0
        var turn = 0
        while true {
            turn += 1
            let root = "\(folder)/\(turn)"
            #expect(mkdir(root, 0o700) == 0)
            if hadOld { try SecureFile.replace("\(root)/value", with: Self.old) }
            let disk = try FaultyDisk(root)
            var acknowledged = false
            disk.run(fault, at: turn) {
                do throws(Diagnostic) {
                    try SecureFile.replace("\(root)/value", with: Self.new)
                    acknowledged = true
                } catch { #expect(error.code == .fileOperation) }
            }
            if disk.hasStruck { struck += 1 }
            #expect(acknowledged || disk.hasStruck)
            for (index, loss)
                in ([.nothing, .everything, .bytes, .halfTheLastWrite] + (1...4).map(PowerLoss.some))
                .enumerated()
            {
                try disk.restore(loss, to: "\(root)-\(index)")
                let found = try SecureFile.readIfPresent("\(root)-\(index)/value", limit: 1 << 20)
                #expect(
                    found == Self.new || (!acknowledged && found == (hadOld ? Self.old : nil)),
                    "\(fault) at call \(turn), \(loss)")
            }
            // What is left can be replaced, and nothing of the attempt stays beside it.
            try SecureFile.replace("\(root)/value", with: Self.old)
            if fault != .powerCut { #expect(try names(root) == ["value"], "\(fault) at call \(turn)") }
            if turn > disk.calls { break }
        }
        #expect(struck > 0, "no call failed")
    }

    private func names(_ path: String) throws -> [String] {
        let listing = try #require(opendir(path))
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}

@_spi(Fuzzing) import EscrowConsent
import Foundation
import Testing

/// The property that the fuzzer looks for, over its seeds and what chance makes of them.
@Suite struct GrantUseBytesTests {
    @Test func aFileThatGrowsReadsAsTheWholeOne() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fuzz/GrantUses/corpus")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count >= 5)
        for name in names {
            let seed = Array(try Data(contentsOf: folder.appendingPathComponent(name)))
            for split in 0..<seed.count {
                #expect(GrantUseBytes.read(seed, split: split), "\(name) cut at \(split)")
                var altered = seed
                altered[split] ^= UInt8(1 << (split % 8))
                #expect(
                    GrantUseBytes.read(altered, split: split * 31), "\(name) altered at \(split)")
            }
        }
    }
}

import EscrowDiagnostics
import Testing

@testable import EscrowManifest
@testable import EscrowTrust

/// What an executable's headers may not say. The file is made here: a header, and three program headers.
@Suite struct ExecutableTests {
    /// Headers as a linker writes them for a static executable: code, data, and a stack that is not executable.
    static func executable(
        type: UInt64 = 2, machine: UInt64 = 62, entry: UInt64 = 56, count: UInt64 = 3,
        segments: [(type: UInt64, flags: UInt64, size: UInt64)] = [
            (1, 5, 232), (1, 6, 232), (0x6474_E551, 6, 0),
        ]
    ) -> [UInt8] {
        var image = [UInt8](repeating: 0, count: 64 + 3 * 56)
        func put(_ value: UInt64, _ offset: Int, _ width: Int) {
            for index in 0..<width {
                image[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
            }
        }
        put(0x464C_457F, 0, 4)
        put(0x0001_0102, 4, 4)
        put(type, 16, 2)
        put(machine, 18, 2)
        put(64, 32, 8)
        put(entry, 54, 2)
        put(count, 56, 2)
        for (index, segment) in segments.enumerated() {
            put(segment.type, 64 + 56 * index, 4)
            put(segment.flags, 64 + 56 * index + 4, 4)
            put(segment.size, 64 + 56 * index + 32, 8)
        }
        return image
    }

    func check(_ image: [UInt8]) throws {
        let artifact = Artifact(
            platform: .linuxX86_64, path: "bin/a", sha256: nil, size: nil, linkage: .static, interpreter: nil)
        try image.withUnsafeBytes { try ExecutableCheck.check($0, size: image.count, artifact) }
    }

    @Test func theBeginningIsEnoughWhereTheHeadersLieInIt() throws {
        let artifact = Artifact(
            platform: .linuxX86_64, path: "bin/a", sha256: nil, size: nil, linkage: .static, interpreter: nil)
        let image = Self.executable(segments: [(1, 5, 20_000)])
        try image.withUnsafeBytes { bytes in
            #expect(ExecutableCheck.holdsHeaders(bytes))
            try ExecutableCheck.check(bytes, size: 20_000, artifact)
            #expect(throws: Diagnostic(.executableUnfit, "")) {
                try ExecutableCheck.check(bytes, size: 19_999, artifact)
            }
            #expect(!ExecutableCheck.holdsHeaders(UnsafeRawBufferPointer(rebasing: bytes.dropLast())))
            #expect(!ExecutableCheck.holdsHeaders(UnsafeRawBufferPointer(rebasing: bytes.prefix(63))))
        }
        for (entry, count) in [(56 as UInt64, 4 as UInt64), (65_535, 65_535)] {
            let longer = Self.executable(entry: entry, count: count)
            #expect(!longer.withUnsafeBytes { ExecutableCheck.holdsHeaders($0) })
        }
    }

    @Test func headersBehindTheBeginningAreFoundInAnInstalledPlugin() throws {
        // The table is moved behind the first pages, and what is loaded ends with the file.
        func program(size: UInt64) -> [UInt8] {
            var image = Self.executable(segments: [(1, 5, size)])
            let table = Array(image[64...])
            image[64...] = ArraySlice(repeating: 0, count: table.count)
            let place = 3 * ExecutableCheck.beginning
            image += [UInt8](repeating: 0, count: place - image.count)
            for (index, byte) in [UInt8(place & 0xFF), UInt8(place >> 8)].enumerated() {
                image[32 + index] = byte
            }
            return image + table
        }
        let whole = UInt64(program(size: 0).count)
        let artifact =
            Platform.current == .linuxX86_64
            ? #"{ "platform": "linux-x86_64", "path": "count", "linkage": "static" }"# : nil
        guard let artifact else { return print("SKIP: the program of this test is for x86_64") }
        let home = Scratch()
        let packages = Scratch()
        let package = try Fixture.pack(
            Fixture.manifest(artifact: artifact, profile: "strict"), program: program(size: whole),
            name: "count", into: packages)
        _ = try Fixture.store(home).install(package, now: Fixture.now)
        for _ in 0..<2 {
            #expect(try Fixture.store(home).open("count", now: Fixture.now).program.size == Int(whole))
        }
        let told = refusal {
            _ = try Fixture.pack(
                Fixture.manifest(artifact: artifact, profile: "strict"), program: program(size: whole + 1),
                name: "count", into: Scratch())
        }
        #expect(told?.code == .executableUnfit)
    }

    @Test func whatALinkerWritesIsFit() throws { try check(Self.executable()) }

    @Test(arguments: [
        ("it is not an executable, but another kind of ELF file", executable(type: 1)),
        ("it is not an executable, but another kind of ELF file", executable(type: 4)),
        ("it is for another machine than linux-x86_64", executable(machine: 8)),
        ("its program headers are damaged", executable(count: 0)),
        ("its program headers are damaged", executable(count: 4)),
        ("its program headers are damaged", executable(entry: 65_535)),
        ("it has memory that is both writable and executable", executable(segments: [(1, 7, 232)])),
        ("its stack may be executed", executable(segments: [(1, 5, 232), (0x6474_E551, 7, 0)])),
        ("it was cut off: a part to load lies behind its end", executable(segments: [(1, 5, 233)])),
        ("it was cut off: a part to load lies behind its end", executable(segments: [(1, 5, .max)])),
        ("it has nothing to load", executable(segments: [(4, 5, 232)])),
        ("it is not a 64-bit ELF executable", Array("#!/bin/sh\n".utf8)),
    ])
    func isUnfit(why: String, image: [UInt8]) {
        let refused = refusal { try self.check(image) }
        #expect(refused?.code == .executableUnfit)
        #expect(refused?.message == "bin/a cannot be run here: \(why)")
    }
}

import EscrowDiagnostics
import Testing

@testable import EscrowTrust

/// What is packed as a script is none: refused when it is packed, and when it is opened for a run.
@Suite struct MachineCodeTests {
    private static let elf: [UInt8] =
        [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 100)

    private static let windows: [UInt8] =
        Array("MZ".utf8) + [UInt8](repeating: 0, count: 58) + [0x80, 0, 0, 0]
        + [UInt8](repeating: 0, count: 64) + [0x50, 0x45, 0, 0]

    @Test(
        arguments: [
            (elf, "an ELF file"), (Array(elf.prefix(4)), "an ELF file"), (windows, "a Windows program"),
            ([0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1], "a Mach-O file"),
            (Array("!<arch>\n/".utf8), "a static library"), (Array(elf.dropFirst()), nil), ([], nil),
            (Array("MZ,Maputo\n".utf8), nil), (Array(windows.dropLast()), nil),
            (Array("MZ".utf8) + [UInt8](repeating: 0xFF, count: 100), nil),
            (Array("#!/usr/bin/python3\n".utf8), nil), (Array("\u{7F}ELf".utf8), nil),
        ] as [([UInt8], String?)])
    func isToldByItsBeginning(bytes: [UInt8], kind: String?) {
        #expect(MachineCode.kind(of: bytes) == kind)
    }

    /// A library beside it is refused as well; one that the script does not see is not.
    @Test(arguments: [("helper.so", true), ("data/helper.so", false)])
    func besideTheScriptItIsNotPacked(name: String, isRefused: Bool) throws {
        let home = Scratch()
        let folder = Fixture.staging()
        folder.write(name, Self.elf)
        let result = Result {
            try PluginPackage.pack(
                folder: folder.path, authorManifest: Array(Fixture.manifest().utf8), file: "plugin.json",
                keys: [Fixture.publisher], issued: Fixture.issued, expires: Fixture.expires, to: home.path)
        }
        switch result {
        case .success: #expect(!isRefused)
        case .failure(let error):
            #expect(isRefused && (error as? Diagnostic)?.code == .machineCodeInScript, "\(error)")
        }
    }

    @Test func inTheScriptsPlaceItIsNotPacked() {
        let home = Scratch()
        let error = #expect(throws: Diagnostic.self) { try Fixture.pack(program: Self.elf, into: home) }
        #expect(error?.code == .machineCodeInScript)
        #expect(error?.message == "count.jq is machine code, an ELF file, and the plugin is a script")
        #expect(error?.exitStatus == .untrusted)
    }
}

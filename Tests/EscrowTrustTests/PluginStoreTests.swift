import EscrowDiagnostics
import EscrowManifest
import Glibc
import Testing

@testable import EscrowTrust

@Suite struct PluginStoreTests {
    let home = Scratch()
    let store: PluginStore

    init() throws { store = try Fixture.store(home) }

    /// Packs the plugin and installs it.
    @discardableResult private func install(_ manifest: String = Fixture.manifest()) throws -> InstalledPlugin
    {
        try store.install(try Fixture.pack(manifest, into: home), now: Fixture.now)
    }

    /// What opening the plugin ends with; nil where it opens.
    private func opening() -> Diagnostic? { refusal { _ = try store.open("count", now: Fixture.now) } }

    @Test func installsFindsAndOpens() throws {
        let row = try install()
        #expect(row.id == "org.example.count")
        #expect(row.version == "1.2.0")
        #expect(try store.list() == [row])
        #expect(try store.find("count") == row)
        let plugin = try store.open("count", now: Fixture.now)
        #expect(plugin.manifestDigest == row.manifestDigest)
        #expect(plugin.keyIDs == [Fixture.publisher.publicKey.id])
        #expect(plugin.signerName == "Example Org release key")
        #expect(plugin.interpreter == .jq)
        #expect(plugin.companions.entries.map(\.name) == ["LICENSE"])
        #expect(plugin.program.digest == Digest(of: Fixture.script))
    }

    @Test func theProgramIsSealed() throws {
        try install()
        let plugin = try store.open("count", now: Fixture.now)
        let descriptor = plugin.program.descriptor
        var byte: UInt8 = 0
        #expect(pwrite(descriptor, &byte, 1, 0) == -1 && errno == EPERM)
        #expect(ftruncate(descriptor, 0) == -1 && errno == EPERM)
        var status = stat()
        #expect(fstat(descriptor, &status) == 0 && status.st_mode & 0o777 == 0o444)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        // What happens to the path afterwards is of no consequence.
        home.write("plugins/org.example.count/count.jq", Array("other".utf8))
        var bytes = [UInt8](repeating: 0, count: Fixture.script.count)
        #expect(pread(descriptor, &bytes, bytes.count, 0) == bytes.count && bytes == Fixture.script)
    }

    @Test func aRealExecutableIsCheckedAndRuns() throws {
        guard let program = compile(home, static: true) else { return }
        let artifact =
            #"{ "platform": "\#(Platform.current.rawValue)", "path": "bin/count", "linkage": "static" }"#
        let manifest = Fixture.manifest(artifact: artifact, profile: "strict")
        _ = try store.install(
            try Fixture.pack(manifest, program: program, name: "bin/count", into: home), now: Fixture.now)
        let plugin = try store.open("count", now: Fixture.now)
        #expect(plugin.interpreter == nil)
        #expect(plugin.companions.entries.isEmpty)
        let child = run("/proc/self/fd/\(plugin.program.descriptor)", [])
        #expect(child == 7, "the sealed copy itself runs")
    }

    @Test func aDynamicExecutableIsNotStatic() throws {
        guard let program = compile(home, static: false) else { return }
        let artifact =
            #"{ "platform": "\#(Platform.current.rawValue)", "path": "bin/count", "linkage": "static" }"#
        let refused = refusal {
            _ = try Fixture.pack(
                Fixture.manifest(artifact: artifact, profile: "strict"), program: program, name: "bin/count",
                into: home)
        }
        #expect(refused?.code == .executableUnfit)
    }

    @Test func aPluginForALaterHostIsRefused() throws {
        let manifest = Fixture.manifest().replacing(">=0.1.0 <1.0.0", with: ">=0.1.1 <1.0.0")
        let path = try Fixture.pack(manifest, into: home)
        let refused = refusal { _ = try store.install(path, now: Fixture.now) }
        #expect(
            refused?.description == """
                error[E0214]: count 1.2.0 is for escrow >=0.1.1 <1.0.0, and this is 0.1.0
                help: install the version of the plugin for this escrow, or update escrow
                """)
    }

    @Test func whatStandsInThePlaceOfAFileIsNamed() throws {
        try install()
        let folder = "\(home.path)/plugins/org.example.count"
        func code() -> Diagnostic.Code? { opening()?.code }
        #expect(rename("\(folder)/count.jq", "\(home.path)/moved") == 0)
        #expect(code() == .packageFileMissing)
        #expect(mkfifo("\(folder)/count.jq", 0o600) == 0)
        #expect(code() == .notAPlainFile)
        #expect(unlink("\(folder)/count.jq") == 0)
        #expect(symlink("\(home.path)/moved", "\(folder)/count.jq") == 0)
        #expect(code() == .notAPlainFile)
        #expect(unlink("\(folder)/count.jq") == 0 && mkdir("\(folder)/count.jq", 0o700) == 0)
        #expect(code() == .notAPlainFile)
        #expect(rmdir("\(folder)/count.jq") == 0)
        #expect(rename("\(home.path)/moved", "\(folder)/count.jq") == 0)
        #expect(code() == nil)
        #expect(chmod("\(folder)/count.jq", 0o4755) == 0)
        #expect(code() == .notAPlainFile)
        #expect(rename(folder, "\(home.path)/aside") == 0)
        #expect(code() == .packageFileMissing)
        #expect(symlink("\(home.path)/aside", folder) == 0)
        #expect(code() == .notAPlainFile)
        #expect(refusal { _ = try store.install(folder, now: Fixture.now) }?.code == .notAPlainFile)
    }

    @Test func twoRecordsOfOnePluginAreDamage() throws {
        try install()
        let path = "\(home.path)/plugins/installed.json"
        let text = String(decoding: readFile(path), as: UTF8.self)
        let start = try #require(text.firstRange(of: "[")?.upperBound)
        let record = text[start..<(try #require(text.lastIndex(of: "}")))]
        let end = try #require(record.lastIndex(of: "}"))
        let twice = text[..<start] + record[...end] + "," + text[start...]
        home.write("plugins/installed.json", Array(twice.utf8))
        #expect(refusal { _ = try store.list() }?.code == .pluginStoreDamaged)
    }

    @Test func aFlippedByteAnywhereIsRefused() throws {
        try install()
        for name in ["manifest.dsse.json", "count.jq", "LICENSE"] {
            let path = "plugins/org.example.count/\(name)"
            let good = readFile("\(home.path)/\(path)")
            for position in good.indices {
                for mask: UInt8 in [0x01, 0x80] {
                    var bad = good
                    bad[position] ^= mask
                    home.write(path, bad)
                    let refused = opening()
                    #expect(
                        refused?.exitStatus == .untrusted,
                        "\(name) byte \(position): \(refused?.code.rawValue ?? "opened")")
                }
            }
            home.write(path, good)
        }
        #expect(opening() == nil)
    }

    @Test func aFlippedByteAnywhereInAPackageIsRefused() throws {
        let path = try Fixture.pack(into: home)
        let good = readFile(path)
        for position in good.indices {
            var bad = good
            bad[position] ^= 0x01
            home.write("bad.escrow", bad)
            let refused = refusal { _ = try store.inspect(home.path + "/bad.escrow", now: Fixture.now) }
            #expect(
                refused?.exitStatus == .untrusted, "byte \(position): \(refused?.code.rawValue ?? "taken")")
        }
        for bad in [good + [0], good + [UInt8](repeating: 0, count: 512), Array(good.dropLast(512)), []] {
            home.write("bad.escrow", bad)
            #expect(
                refusal { _ = try store.inspect(home.path + "/bad.escrow", now: Fixture.now) }?.code
                    == .packageDamaged)
        }
    }

    @Test func packingTwiceGivesTheSameBytesAndTarListsThem() throws {
        let one = Scratch()
        let two = Scratch()
        let path = try Fixture.pack(into: one)
        #expect(try readFile(path) == readFile(Fixture.pack(into: two)))
        #expect(path.hasSuffix("/count-1.2.0.escrow"))
        let listing = one.path + "/listing"
        guard run("/usr/bin/env", ["tar", "-tf", path], output: listing) != 127 else {
            print("SKIP: tar is not installed")
            return
        }
        #expect(
            String(decoding: readFile(listing), as: UTF8.self) == "manifest.dsse.json\nLICENSE\ncount.jq\n")
    }

    @Test func anOlderVersionIsRefusedUnlessWanted() throws {
        let old = try Fixture.pack(Fixture.manifest(version: "1.1.0", sequence: 6), into: home)
        try install()
        let refused = refusal { _ = try store.install(old, now: Fixture.now) }
        #expect(refused?.code == .pluginRolledBack)
        #expect(
            refused?.message
                == "rollback: count 1.1.0 (sequence 6) is older than sequence 7, which a key that you trust signed before"
        )
        _ = try store.remove("count")
        #expect(refusal { _ = try store.install(old, now: Fixture.now) }?.code == .pluginRolledBack)
        _ = try store.install(old, now: Fixture.now, allowRollback: true)
        #expect(opening() == nil)
    }

    @Test func aRefusedPackageLeavesNoTrace() throws {
        try install()
        let before = readFile(store.ratchetPath)
        var bad = readFile(
            try Fixture.pack(Fixture.manifest(version: "9.0.0", sequence: 1_000_000), into: home))
        bad[bad.count - 1_500] ^= 1
        home.write("bad.escrow", bad)
        #expect(refusal { _ = try store.install(home.path + "/bad.escrow", now: Fixture.now) } != nil)
        #expect(readFile(store.ratchetPath) == before)
        #expect(try store.list().map(\.version) == ["1.2.0"])
        var status = stat()
        #expect(lstat(home.path + "/plugins/.new", &status) == -1)
    }

    @Test func anotherSignedVersionPutInPlaceByHandIsNoticed() throws {
        try install()
        let elsewhere = Scratch()
        let other = try Fixture.store(elsewhere)
        _ = try other.install(
            try Fixture.pack(Fixture.manifest(version: "1.3.0", sequence: 8), into: elsewhere),
            now: Fixture.now)
        home.write(
            "plugins/org.example.count/manifest.dsse.json",
            readFile(elsewhere.path + "/plugins/org.example.count/manifest.dsse.json"))
        #expect(opening()?.code == .notTheInstalledVersion)
    }

    @Test func namesAreFoundByTheirLastLabelIfItIsAlone() throws {
        try install()
        try install(Fixture.manifest(id: "org.example.two.count"))
        let refused = refusal { _ = try store.find("count") }
        #expect(refused?.code == .pluginNameAmbiguous)
        #expect(refused?.help == "name one of them in full: org.example.count, org.example.two.count")
        #expect(try store.find("org.example.count").id == "org.example.count")
        #expect(refusal { _ = try store.find("nothing") }?.code == .pluginNotInstalled)
    }

    @Test func aFolderInstallsLikeAPackage() throws {
        let path = try Fixture.pack(into: home)
        _ = try store.install(path, now: Fixture.now)
        let second = Scratch()
        let other = try Fixture.store(second)
        let row = try other.install(home.path + "/plugins/org.example.count", now: Fixture.now)
        #expect(try store.find("count") == row)
        home.write("plugins/org.example.count/extra.txt", [1])
        #expect(
            refusal { _ = try other.install(home.path + "/plugins/org.example.count", now: Fixture.now) }?
                .code == .unlistedFile)
    }
}

/// Compiles a tiny C program that ends with status 7; nil, with a SKIP, where that cannot be.
func compile(_ folder: Scratch, static isStatic: Bool) -> [UInt8]? {
    folder.write("seven.c", Array("int main(void) { return 7; }\n".utf8))
    let output = folder.path + "/seven"
    let arguments =
        ["gcc", "-Os"] + (isStatic ? ["-static"] : []) + ["-o", output, folder.path + "/seven.c"]
    guard run("/usr/bin/env", arguments, output: folder.path + "/log") == 0 else {
        print("SKIP: gcc cannot build a \(isStatic ? "static" : "dynamic") program here")
        return nil
    }
    return readFile(output)
}

/// Runs a program to its end; its exit status.
func run(_ path: String, _ arguments: [String], output: String? = nil) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output {
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in argv { free(pointer) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, path, &actions, nil, &argv, environ) == 0 else { return 127 }
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return (status >> 8) & 0xFF
}

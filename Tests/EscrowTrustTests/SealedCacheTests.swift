import EscrowDiagnostics
import EscrowManifest
import EscrowTrust
import Glibc
import Testing

/// Copies that are kept between runs change nothing about what is refused.
@Suite struct SealedCacheTests {
    private func store(_ home: Scratch, _ memory: PluginMemory?) throws -> PluginStore {
        PluginStore(
            directory: home.path + "/plugins", trust: try Fixture.trust(), revocations: .none,
            installation: nil, memory: memory)
    }

    @Test func aSecondRunGetsTheSameBytesAndAnAlteredFileIsRefusedAsEver() throws {
        let home = Scratch()
        let packages = Scratch()
        _ = try Fixture.store(home).install(try Fixture.pack(into: packages), now: Fixture.now)
        let memory = PluginMemory(directory: home.path + "/plugins")
        let path = home.path + "/plugins/org.example.count/count.jq"
        let digest = try store(home, nil).open("count", now: Fixture.now).program.digest
        for _ in 0..<3 {
            let plugin = try store(home, memory).open("count", now: Fixture.now)
            #expect(plugin.program.digest == digest)
            #expect(plugin.program.size == Fixture.script.count)
            var content = [UInt8](repeating: 0, count: 64)
            let count = pread(plugin.program.descriptor, &content, 64, 0)
            #expect(Array(content.prefix(max(0, count))) == Fixture.script)
            // Sealed for whoever gets it: nothing can be written.
            #expect(pwrite(plugin.program.descriptor, content, 1, 0) == -1)
        }
        let file = open(path, O_WRONLY)
        #expect(pwrite(file, "[", 1, 0) == 1)
        close(file)
        for _ in 0..<2 {
            let told = refusal { _ = try store(home, memory).open("count", now: Fixture.now).program.size }
            #expect(
                told?.code
                    == refusal { _ = try store(home, nil).open("count", now: Fixture.now).program.size }?.code
            )
            #expect(told != nil)
        }
        unlink(path)
        #expect(refusal { _ = try store(home, memory).open("count", now: Fixture.now).program.size } != nil)
    }

    /// The attack: whoever can write the store puts another file in the place of one that was verified, as long and, by utimensat(2),
    /// as old; in the second round it writes into the same file and sets its time back.
    @Test(arguments: ["count.jq", "manifest.dsse.json"], [true, false])
    func anotherFileOfTheSameSizeAndTimeIsNoticed(_ name: String, isReplaced: Bool) throws {
        let home = Scratch()
        let packages = Scratch()
        _ = try Fixture.store(home).install(try Fixture.pack(into: packages), now: Fixture.now)
        let memory = PluginMemory(directory: home.path + "/plugins")
        let path = home.path + "/plugins/org.example.count/" + name
        // Only a file that has not changed for a tenth of a second is kept.
        usleep(150_000)
        for _ in 0..<2 { _ = try store(home, memory).open("count", now: Fixture.now).program.size }
        var before = stat()
        #expect(lstat(path, &before) == 0)
        var bytes = readFile(path)
        bytes[bytes.count / 2] ^= 1
        if isReplaced { home.write("plugins/other", bytes) }
        let file = open(isReplaced ? home.path + "/plugins/other" : path, O_WRONLY)
        #expect(pwrite(file, bytes, bytes.count, 0) == bytes.count)
        var times = [before.st_atim, before.st_mtim]
        #expect(futimens(file, &times) == 0)
        close(file)
        if isReplaced { #expect(rename(home.path + "/plugins/other", path) == 0) }
        var after = stat()
        #expect(lstat(path, &after) == 0)
        // By what the attacker can set, it is the same file.
        #expect(after.st_size == before.st_size)
        #expect(
            after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)
        let told = refusal { _ = try store(home, memory).open("count", now: Fixture.now).program.size }
        #expect(told?.exitStatus == .untrusted)
    }

    @Test func whatIsNoLongerTrustedIsRefusedThoughItsCopyIsKept() throws {
        let home = Scratch()
        let packages = Scratch()
        _ = try Fixture.store(home).install(try Fixture.pack(into: packages), now: Fixture.now)
        let memory = PluginMemory(directory: home.path + "/plugins")
        _ = try store(home, memory).open("count", now: Fixture.now).program.size
        let stranger = PluginStore(
            directory: home.path + "/plugins", trust: TrustStore([]), revocations: .none, installation: nil,
            memory: memory)
        #expect(
            refusal { _ = try stranger.open("count", now: Fixture.now).program.size }?.exitStatus
                == .untrusted)
        _ = try store(home, memory).remove("count")
        #expect(
            refusal { _ = try store(home, memory).open("count", now: Fixture.now).program.size }?.code
                .rawValue
                == "E0212")
    }

    @Test func aManifestThatWasReadBeforeIsJudgedAnewEachTime() throws {
        let home = Scratch()
        let packages = Scratch()
        _ = try Fixture.store(home).install(try Fixture.pack(into: packages), now: Fixture.now)
        let memory = PluginMemory(directory: home.path + "/plugins")
        func open(
            trust: TrustStore? = nil, revocations: Revocations = .none, now: Moment = Fixture.now
        ) throws -> String {
            let store = PluginStore(
                directory: home.path + "/plugins", trust: try trust ?? Fixture.trust(),
                revocations: revocations, installation: nil, memory: memory)
            let plugin = try store.open("count", now: now)
            return plugin.manifest.version.description + " " + plugin.manifestDigest
        }
        func code(_ work: () throws -> String) -> Diagnostic.Code? { refusal { _ = try work() }?.code }
        let first = try open()
        #expect(first.hasPrefix("1.2.0 "))
        for _ in 0..<2 {
            #expect(try open() == first)
            #expect(code { try open(trust: TrustStore([])) } != nil)
            #expect(code { try open(trust: Fixture.trust(Fixture.other)) } != nil)
            let revoked = Revocations(
                sequence: 1, expires: nil,
                versions: [.init(id: "org.example.count", below: try #require(SemanticVersion("1.2.1")))])
            #expect(code { try open(revocations: revoked) } != nil)
            let digest = String(first.dropFirst("1.2.0 ".count))
            #expect(
                code { try open(revocations: Revocations(sequence: 1, expires: nil, manifests: [digest])) }
                    != nil)
            #expect(code { try open(now: Fixture.expires) } != nil)
        }
        // Another text, as whole and as well signed, is read for what it says.
        let next = try Fixture.pack(Fixture.manifest(version: "1.3.0", sequence: 8), into: packages)
        _ = try store(home, memory).install(next, now: Fixture.now)
        #expect(try open().hasPrefix("1.3.0 "))
        // One changed letter of the signed text, and what was read before helps nobody.
        let path = home.path + "/plugins/org.example.count/manifest.dsse.json"
        var bytes = readFile(path)
        let name = Array("\"payload\":\"".utf8)
        let at = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + name.count + 40
        bytes[at] = bytes[at] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        home.write("plugins/org.example.count/manifest.dsse.json", bytes)
        #expect(code { try open() } != nil)
    }
}

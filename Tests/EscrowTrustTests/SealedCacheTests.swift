import EscrowDiagnostics
import EscrowManifest
import EscrowTrust
import Glibc
import Testing

/// Copies that are kept between runs change nothing about what is refused.
@Suite struct SealedCacheTests {
    private func store(_ home: Scratch, _ cache: SealedCache?) throws -> PluginStore {
        PluginStore(
            directory: home.path + "/plugins", trust: try Fixture.trust(), revocations: .none,
            installation: nil, cache: cache)
    }

    @Test func aSecondRunGetsTheSameBytesAndAnAlteredFileIsRefusedAsEver() throws {
        let home = Scratch()
        let packages = Scratch()
        _ = try Fixture.store(home).install(try Fixture.pack(into: packages), now: Fixture.now)
        let cache = SealedCache()
        let path = home.path + "/plugins/org.example.count/count.jq"
        let digest = try store(home, nil).open("count", now: Fixture.now).program.digest
        for _ in 0..<3 {
            let plugin = try store(home, cache).open("count", now: Fixture.now)
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
            let told = refusal { _ = try store(home, cache).open("count", now: Fixture.now).program.size }
            #expect(
                told?.code
                    == refusal { _ = try store(home, nil).open("count", now: Fixture.now).program.size }?.code
            )
            #expect(told != nil)
        }
        unlink(path)
        #expect(refusal { _ = try store(home, cache).open("count", now: Fixture.now).program.size } != nil)
    }

    @Test func whatIsNoLongerTrustedIsRefusedThoughItsCopyIsKept() throws {
        let home = Scratch()
        let packages = Scratch()
        _ = try Fixture.store(home).install(try Fixture.pack(into: packages), now: Fixture.now)
        let cache = SealedCache()
        _ = try store(home, cache).open("count", now: Fixture.now).program.size
        let stranger = PluginStore(
            directory: home.path + "/plugins", trust: TrustStore([]), revocations: .none, installation: nil,
            cache: cache)
        #expect(
            refusal { _ = try stranger.open("count", now: Fixture.now).program.size }?.exitStatus
                == .untrusted)
        _ = try store(home, cache).remove("count")
        #expect(
            refusal { _ = try store(home, cache).open("count", now: Fixture.now).program.size }?.code
                == "E0212")
    }
}

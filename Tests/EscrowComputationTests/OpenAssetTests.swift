import EscrowSchema
import Glibc
import Testing

@testable import EscrowComputation

@Suite("Files behind handles")
struct OpenAssetTests {
    /// A pipe's two ends, and a file without a name, are what a source may have to hand out.
    private static func file(_ bytes: [UInt8]) -> Int32 {
        let raw = open("/tmp", O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000, 0o600)
        bytes.withUnsafeBytes { _ = pwrite(raw, $0.baseAddress, $0.count, 0) }
        return raw
    }

    @Test(
        "what no path leads to is opened by its source, each time anew, and only once its handle was delivered"
    )
    func opened() throws {
        let assets = AssetTable()
        let bytes = Array("the picture".utf8)
        let handle = assets.offer(path: "/nowhere/a.zip/b.jpg", mediaType: "image/jpeg") { Self.file(bytes) }
        let reader: any AssetReader = assets
        #expect(reader.open(handle) == nil)
        #expect(assets.deliver(handle))
        for _ in 0..<2 {
            let asset = try #require(reader.open(handle))
            #expect(asset.size == bytes.count && asset.mediaType == "image/jpeg")
            #expect(asset.read(4) == Array(bytes[..<4]))
            #expect(asset.read(100) == Array(bytes[4...]))
            #expect(asset.read(100) == [])
        }
    }

    @Test("what its source cannot open, or what is no file, is not there")
    func refused() {
        let assets = AssetTable()
        for opening in [{ Int32(-1) }, { open("/dev/null", O_RDONLY | O_CLOEXEC) }] as [@Sendable () -> Int32]
        {
            let handle = assets.offer(
                path: "/nowhere/\(Int.random(in: 0..<1 << 60))", mediaType: "image/jpeg", opening: opening)
            #expect(assets.deliver(handle))
            #expect((assets as any AssetReader).open(handle) == nil)
        }
    }
}

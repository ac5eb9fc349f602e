/// What a server is, and which plugins are registered there.
public struct ServerDescription: Sendable, Equatable {
    public var server = ""
    public var version = ""
    /// The operating system.
    public var system = ""
    public var processor = ""
    public var processors = 0
    public var memoryMiB = 0
    public var storageMiB = 0
    public var plugins: [Plugin] = []
    /// Whether its memory stays out of swap even if some is added.
    public var isMemoryLocked = false

    /// A plugin that can run there.
    public struct Plugin: Sendable, Equatable {
        public var id: String
        public var version: String
        public var manifest: String

        public init(id: String, version: String, manifest: String) {
            self.id = id
            self.version = version
            self.manifest = manifest
        }
    }

    /// The most bytes of a description.
    public static let mostBytes = 1 << 20

    public init() {}

    public var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.text(1, server)
        writer.text(2, version)
        writer.text(3, system)
        writer.text(4, processor)
        writer.number(5, UInt64(processors))
        writer.number(6, UInt64(memoryMiB))
        writer.number(7, UInt64(storageMiB))
        writer.text(8, plugins.map { "\($0.id) \($0.version) \($0.manifest)\n" }.joined())
        writer.number(9, isMemoryLocked ? 1 : 0)
        return writer.bytes
    }

    public init(_ bytes: [UInt8]) throws(OffloadWireError) {
        guard bytes.count <= Self.mostBytes else { throw OffloadWireError("a message that is too long") }
        var reader = ProtobufReader(bytes[...])
        server = try reader.text(1, atMost: 128)
        version = try reader.text(2, atMost: 64)
        system = try reader.text(3, atMost: 128)
        processor = try reader.text(4, atMost: 128)
        processors = try reader.count(5, atMost: 1 << 20)
        memoryMiB = try reader.count(6, atMost: 1 << 40)
        storageMiB = try reader.count(7, atMost: 1 << 40)
        for line in try reader.text(8, atMost: Self.mostBytes).split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 3, words.allSatisfy(Self.isWord) else {
                throw OffloadWireError("a line that names no plugin")
            }
            plugins.append(Plugin(id: words[0], version: words[1], manifest: words[2]))
        }
        isMemoryLocked = try reader.count(9, atMost: 1) == 1
        try reader.finish()
        guard encoded == bytes else { throw OffloadWireError("a list of plugins in another spelling") }
    }

    /// Letters, digits and signs of ASCII. A carriage return would join the end of its line to one character.
    private static func isWord(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

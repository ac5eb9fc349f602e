/// The first message of a run: which plugin, and within which limits.
public struct Begin: Sendable, Equatable {
    /// The run's id in the device's ledger.
    public var run: String
    /// The plugin's id.
    public var plugin: String
    /// SHA-256 of its manifest, hexadecimal.
    public var manifest: String
    public var limits: RemoteLimits
    /// What evidence is to be made for, sixteen random bytes; none where none is wanted.
    public var nonce: [UInt8]

    public init(
        run: String, plugin: String, manifest: String, limits: RemoteLimits, nonce: [UInt8] = []
    ) {
        self.run = run
        self.plugin = plugin
        self.manifest = manifest
        self.limits = limits
        self.nonce = nonce
    }

    func write(_ writer: inout ProtobufWriter) {
        writer.text(1, run)
        writer.text(2, plugin)
        writer.text(3, manifest)
        writer.number(4, UInt64(limits.wallMilliseconds))
        writer.number(5, UInt64(limits.cpuSeconds))
        writer.number(6, UInt64(limits.memoryMiB))
        writer.number(7, UInt64(limits.outputBytes))
        writer.number(8, UInt64(limits.logBytes))
        writer.number(9, UInt64(limits.processes))
        if !nonce.isEmpty { writer.data(10, nonce) }
    }

    init(_ reader: inout ProtobufReader) throws(OffloadWireError) {
        run = try reader.text(1, atMost: 64)
        plugin = try reader.text(2, atMost: 128)
        // The server's owner reads both in a log: no other text comes so far.
        guard Self.isRunID(run), Self.isPluginID(plugin) else { throw OffloadWireError("a name of no form") }
        manifest = try reader.text(3, atMost: 64)
        limits = RemoteLimits(
            wallMilliseconds: try reader.count(4, atMost: 3_600_000),
            cpuSeconds: try reader.count(5, atMost: 3600),
            memoryMiB: try reader.count(6, atMost: 1 << 20),
            outputBytes: try reader.count(7, atMost: 1 << 40),
            logBytes: try reader.count(8, atMost: 1 << 30), processes: try reader.count(9, atMost: 1 << 16))
        nonce = try reader.bytes(10, atMost: 64)
    }

    /// As a host makes them: `r-` and hexadecimal digits.
    private static func isRunID(_ text: String) -> Bool {
        let digits = text.utf8.dropFirst(2)
        return text.hasPrefix("r-") && !digits.isEmpty
            && digits.allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
    }

    /// What a manifest may call a plugin; EscrowManifest, which says it, is not for programs that pass bytes on.
    private static func isPluginID(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                1...63 ~= label.count && label.first != 0x2D && label.last != 0x2D
                    && label.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// What a run may use on the server.
public struct RemoteLimits: Sendable, Equatable {
    public var wallMilliseconds: Int
    public var cpuSeconds: Int
    public var memoryMiB: Int
    public var outputBytes: Int
    public var logBytes: Int
    public var processes: Int

    public init(
        wallMilliseconds: Int, cpuSeconds: Int, memoryMiB: Int, outputBytes: Int, logBytes: Int,
        processes: Int
    ) {
        self.wallMilliseconds = wallMilliseconds
        self.cpuSeconds = cpuSeconds
        self.memoryMiB = memoryMiB
        self.outputBytes = outputBytes
        self.logBytes = logBytes
        self.processes = processes
    }
}

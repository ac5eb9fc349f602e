/// What an ``ArrowStreamReader`` takes before it refuses the stream.
public struct ArrowLimits: Sendable, Hashable {
    public var metadataBytes: Int
    public var bodyBytes: Int
    /// The most messages, so that endless empty batches end.
    public var messages: Int
    /// The most rows of all batches together.
    public var rows: Int
    /// The most bytes that the values of one batch take in memory, as ``Batch/byteCount`` counts. Many columns can
    /// point at the same bytes of a body, and a boolean grows from a bit to nine bytes.
    public var batchBytes: Int
    /// The most bytes that the values of all batches and dictionaries take.
    public var totalBytes: Int

    /// The limits; unless told, what suits a result of a plugin.
    public init(
        metadataBytes: Int = 1 << 20, bodyBytes: Int = 64 << 20, messages: Int = 100_000,
        rows: Int = 10_000_000, batchBytes: Int = 256 << 20, totalBytes: Int = 1 << 30
    ) {
        self.metadataBytes = metadataBytes
        self.bodyBytes = bodyBytes
        self.messages = messages
        self.rows = rows
        self.batchBytes = batchBytes
        self.totalBytes = totalBytes
    }
}

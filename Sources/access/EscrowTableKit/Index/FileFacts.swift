/// What is kept of a file so that it need not be read again: a small record of its header, say.
///
/// A kind whose files cost much to read makes its facts one of these, names their index in ``SourceAdapter/indexNames``,
/// and asks ``FactsReading/facts(of:read:)`` where it would read.
package protocol FileFacts: Sendable {
    /// The name of the index, of small letters: its file is `index/NAME.cache` of the escrow home. Two kinds may share one.
    static var indexName: String { get }
    /// Another number whenever the same bytes mean something else, or more is read of a file: the index is then begun anew.
    static var indexVersion: Int { get }

    /// Appends the facts in bytes, at most ``FactsRecord/bodyLimit`` of them; false, and nothing appended, for what is too
    /// large to be kept.
    func append(to bytes: inout [UInt8]) -> Bool
    /// Reads what ``append(to:)`` wrote; nil for anything else. The bytes may be any: their sum is right, no more.
    init?(_ bytes: UnsafeRawBufferPointer)
}

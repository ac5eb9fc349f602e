internal import EscrowSourceFiles

/// Gives a scan the facts of its files. It takes them from the index; what the index lacks it reads from the file, and keeps.
package struct FactsReading<Facts: FileFacts> {
    private let files: ListedFiles
    private var meter: ReadingMeter
    private var isUsed = false
    /// How many files the scan has passed.
    package var done = 0

    package init(_ files: ListedFiles) {
        self.files = files
        meter = ReadingMeter(files.context.memory, total: files.listing.files.count)
    }

    /// The facts of a file that was looked at; nil if it cannot be read.
    package mutating func facts(of file: Int, read: () -> Facts?) -> Facts? {
        isUsed = true
        return files.context.facts(Facts.self, of: file, in: files.listing) {
            meter.countRead(done: done)
            return read()
        }
    }

    /// Tells of the end, and writes what is not written yet.
    package mutating func end() {
        meter.end(done: done)
        guard isUsed else { return }
        files.context.memory?.index(Facts.self).flush(fileCount: files.listing.files.count)
    }
}

internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import Glibc

extension ZipArchive {
    /// Unpacks an entry into a file that nobody else can open.
    package func open(_ entry: Entry) throws(Refusal) -> Descriptor {
        let start = try admit(entry, size: entry.size)
        var sum = CRC32()
        var count: Int64 = 0
        let file = try unpack(entry, from: start, upTo: entry.size) {
            sum.add($0)
            count += Int64($0.count)
        }
        guard count == entry.size, sum.value == entry.sum else { throw .damaged }
        return file
    }

    /// The beginning of an entry, without the rest of it being unpacked: whether its check sum is right is not known then.
    func beginning(of entry: Entry, limit: Int64) throws(Refusal) -> WindowedFile {
        let start = try admit(entry, size: min(entry.size, limit))
        guard entry.method == 8 else {
            guard let copy = file.duplicate() else { throw Refusal(.unreadable(errno: errno)) }
            return WindowedFile(copy, size: entry.size, base: start)
        }
        var reach: Int64 = 0
        let part = try unpack(entry, from: start, upTo: min(entry.size, limit)) { reach += Int64($0.count) }
        return WindowedFile(part, size: entry.size, reach: reach)
    }

    /// Whether an entry may be unpacked, and where its content begins.
    private func admit(_ entry: Entry, size: Int64) throws(Refusal) -> Int64 {
        guard !entry.isEncrypted else { throw Refusal("an encrypted entry") }
        guard entry.method == 0 || entry.method == 8 else {
            throw Refusal("an entry packed in a way that is not read")
        }
        guard entry.size <= Self.sizeLimit, size <= totalLimit - unpacked,
            entry.size <= Self.smallSize || entry.size / Self.ratioLimit <= entry.packedSize
        else { throw .bomb }
        guard entry.method == 8 || entry.size == entry.packedSize else { throw .disagreement }
        let start = try contentStart(entry)
        unpacked += size
        return start
    }

    private func unpack(
        _ entry: Entry, from start: Int64, upTo limit: Int64, _ see: (ArraySlice<UInt8>) -> Void
    ) throws(Refusal) -> Descriptor {
        let target: AnonymousFile
        do throws(Diagnostic) { target = try AnonymousFile(size: limit) } catch {
            throw Refusal(FileProblem(error.message))
        }
        var done: Int64 = 0
        var failure: Diagnostic?
        try unpack(entry, from: start) { bytes in
            let bytes = bytes.prefix(Int(clamping: limit - done))
            see(bytes)
            do throws(Diagnostic) { try target.write(bytes, at: done) } catch {
                failure = error
                return false
            }
            done += Int64(bytes.count)
            // The whole of an entry is to end where it says that it ends.
            return done < limit || limit == entry.size
        }
        if let failure { throw Refusal(FileProblem(failure.message)) }
        guard let copy = target.duplicate() else { throw Refusal(.unreadable(errno: errno)) }
        return copy
    }

    /// The content of a small entry.
    package func bytes(_ entry: Entry, limit: Int) throws(Refusal) -> [UInt8] {
        guard entry.size <= limit else { throw Refusal("a member of more than \(limit) bytes") }
        let start = try admit(entry, size: entry.size)
        var sum = CRC32()
        var content: [UInt8] = []
        try unpack(entry, from: start) {
            sum.add($0)
            content += $0
            return true
        }
        guard content.count == entry.size, sum.value == entry.sum else { throw .damaged }
        return content
    }

    /// Hands over an entry's content, piece by piece, until `take` says no.
    private func unpack(
        _ entry: Entry, from start: Int64, _ take: (ArraySlice<UInt8>) -> Bool
    ) throws(Refusal) {
        guard entry.method == 8 else {
            var done: Int64 = 0
            while done < entry.size {
                let bytes = try read(at: start + done, count: Int(min(entry.size - done, 256 << 10)))
                done += Int64(bytes.count)
                guard take(bytes) else { return }
            }
            return
        }
        let inflater = Inflater(file, range: start..<start + entry.packedSize, limit: entry.size)
        do throws(Inflater.Failure) { _ = try inflater.run(take) } catch {
            switch error {
            case .damaged: throw .damaged
            case .tooLong: throw .bomb
            case .unreadable(let code): throw Refusal(.unreadable(errno: code))
            case .refused: break
            }
        }
    }
}

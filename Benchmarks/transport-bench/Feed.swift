import EscrowJSON
import EscrowTabular
import EscrowWire
import Glibc

/// The host's side of one run over rows that lie ready.
struct Feed {
    static let batchRows = 8_192
    private let rows: Int
    private let schema: Schema
    private let batch: Batch
    private let rest: Batch

    /// Rows of what people have most: a number, a name, a coordinate and a moment.
    init(rows: Int) throws {
        self.rows = rows
        schema = try Schema([
            Field("id", type: .integer), Field("name", type: .text), Field("latitude", type: .real),
            Field("taken", type: .timestamp),
        ])
        batch = try Self.batch(schema, Self.batchRows)
        rest = try Self.batch(schema, rows % Self.batchRows)
    }

    private static func batch(_ schema: Schema, _ rows: Int) throws -> Batch {
        let builder = BatchBuilder(schema: schema, rowCapacity: max(rows, 1))
        for row in 0..<rows {
            try builder.append(Int64(row), to: 0)
            try builder.appendText("Given\(row % 977) Family\(row)", to: 1)
            try builder.append(59 + Double(row) / 8_192, to: 2)
            try builder.append(1_600_000_000_000_000 + Int64(row) * 60_000_000, to: 3)
            try builder.endRow()
        }
        return builder.finish()
    }

    /// What a plugin that reads everything adds up: numbers, bytes of text, coordinates, seconds.
    private var expected: (id: Int64, bytes: Int64, seconds: Int64) {
        func sums(_ batch: Batch) -> (Int64, Int64, Int64) {
            var sums: (Int64, Int64, Int64) = (0, 0, 0)
            for row in 0..<batch.rowCount {
                sums.0 += batch.integer(row: row, column: 0)
                sums.1 += Int64(batch.withBytes(row: row, column: 1) { $0.count })
                sums.2 += batch.integer(row: row, column: 3) / 1_000_000
            }
            return sums
        }
        let one = sums(batch)
        let last = sums(rest)
        let times = Int64(rows / Self.batchRows)
        return (one.0 * times + last.0, one.1 * times + last.1, one.2 * times + last.2)
    }

    /// One conversation; prints what it took.
    func run(way: String, _ program: [String]) throws {
        let child = try Child(program)
        var session = Session(
            run: "r-1", schema: schema, parameters: [("way", .string(way))], features: [.rows],
            resultKind: .record, limits: SessionLimits(resultBytes: 4_096))
        child.write(session.start())
        var sent = 0
        var began: Double?
        var encoding = 0.0
        var result: JSONValue?
        while let bytes = child.read() {
            for event in try session.receive(bytes) {
                switch event {
                case .rows(let limit, _):
                    let start = Self.now()
                    began = began ?? start
                    let batch = try next(sent, limit)
                    sent += batch.rowCount
                    let pieces = try session.answer(batch: batch, more: sent < rows)
                    encoding += Self.now() - start
                    for piece in pieces { child.write(piece) }
                case .send(let bytes): child.write(bytes)
                case .result(.json(let node)): result = node.value
                default: break
                }
            }
            if result != nil { break }
        }
        let took = Self.now() - (began ?? 0)
        guard child.wait() == 0, let result else { Main.fail("\(program[0]) gave no result") }
        guard result["ids"]?.integer == expected.id, result["bytes"]?.integer == expected.bytes,
            result["seconds"]?.integer == expected.seconds
        else { Main.fail("\(program[0]) added up something else") }
        tell(rows: session.counts.rows, bytes: session.counts.rowBytes, took, encoding: encoding)
    }

    /// Writes the rows' bytes without a conversation.
    func pour(into program: [String]) throws {
        var writer = ArrowStreamWriter(schema: schema)
        _ = try writer.encode(batch)  // with the schema
        let piece = try writer.encode(batch)
        let child = try Child(program)
        let start = Self.now()
        let pieces = rows / Self.batchRows
        for _ in 0..<pieces { child.write(piece) }
        guard child.wait() == 0 else { Main.fail("\(program[0]) failed") }
        tell(rows: pieces * Self.batchRows, bytes: pieces * piece.count, Self.now() - start, encoding: 0)
    }

    private func tell(rows: Int, bytes: Int, _ took: Double, encoding: Double) {
        let told: JSONValue = [
            "rows": .integer(Int64(rows)), "bytes": .integer(Int64(bytes)), "ms": .real(took),
            "hostMs": .real(encoding),
        ]
        print(String(decoding: JSONWriter.line(told), as: UTF8.self))
    }

    /// The next rows: the batch as it is wherever it fits.
    private func next(_ sent: Int, _ limit: Int) throws -> Batch {
        let left = rows - sent
        let at = sent % Self.batchRows
        let source = left - (Self.batchRows - at) >= 0 ? batch : rest
        let count = min(source.rowCount - at, limit)
        guard at > 0 || count < source.rowCount else { return source }
        let builder = BatchBuilder(schema: schema, rowCapacity: count)
        for row in at..<at + count {
            for column in schema.fields.indices {
                try builder.append(cell: source.cell(row: row, column: column), to: column)
            }
            try builder.endRow()
        }
        return builder.finish()
    }

    /// Milliseconds on the steady clock.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

/// A plugin's process, with pipes to its stdin and from its stdout.
struct Child {
    private let process: pid_t
    private let input: Int32
    private let output: Int32

    init(_ words: [String]) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { Main.fail("no pipe") }
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("ESCROW_PLUGIN=1"), nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &actions, nil, &arguments, &environment)
        guard error == 0 else { Main.fail("\(words[0]): \(String(cString: strerror(error)))") }
        close(toChild[0])
        close(fromChild[1])
        self.process = process
        input = toChild[1]
        output = fromChild[0]
    }

    /// Some bytes; nil at the end.
    func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            count = max(0, Glibc.read(output, buffer.baseAddress, buffer.count))
        }
        return bytes.isEmpty ? nil : bytes
    }

    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer
            while !rest.isEmpty {
                let count = Glibc.write(input, rest.baseAddress, rest.count)
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Waits for the end, and gives the status.
    func wait() -> Int32 {
        close(input)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status
    }
}

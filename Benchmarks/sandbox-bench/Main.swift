import EscrowDiagnostics
import EscrowSandbox
import Glibc

/// Measures the sandbox by itself: no host, no signature, no ledger.
///
///     sandbox-bench cold PROGRAM N [--input FILE] [--lower WALL]...
///
/// Each run is one line of JSON, in microseconds: `startUs` until the program's first instruction, `firstByteUs` until
/// the first byte of its output was read, `wallUs` until it was reaped; `hostCPUUs` and `childCPUUs` of processor time.
/// The program is a static executable that reads its stdin to the end and writes something.
@main
struct SandboxBench {
    static func main() {
        do {
            try Arguments(CommandLine.arguments).run()
        } catch let error as Diagnostic {
            complain("\(error.code.rawValue): \(error.message)")
        } catch {
            complain("\(error)")
        }
    }

    private static func complain(_ words: String) -> Never {
        let line = Array("sandbox-bench: \(words)\n".utf8)
        _ = write(2, line, line.count)
        exit(1)
    }
}

/// Why nothing was measured.
struct Complaint: Error, CustomStringConvertible {
    let description: String
}

/// What is to be measured.
struct Arguments {
    let command: String
    let image: [UInt8]
    let count: Int
    var input = Array("one row\n".utf8)
    var lowered: Set<Wall> = []

    init(_ words: [String]) throws {
        guard words.count >= 4, words[1] == "cold", let count = Int(words[3]), count > 0 else {
            throw Complaint(description: "usage: sandbox-bench cold PROGRAM N [--input FILE] [--lower WALL]")
        }
        command = words[1]
        self.count = count
        for index in stride(from: 4, to: words.count - 1, by: 2) {
            switch words[index] {
            case "--input": input = try readFile(words[index + 1])
            case "--lower":
                guard let wall = Wall(rawValue: words[index + 1]) else {
                    throw Complaint(description: "no wall is called \(words[index + 1])")
                }
                lowered.insert(wall)
            default: throw Complaint(description: "unknown option \(words[index])")
            }
        }
        image = try readFile(words[2])
    }

    func run() throws {
        let sandbox = try Sandbox(configuration: SandboxConfiguration(loweredWalls: lowered))
        let file = try SealedFile(image)
        let program = SandboxProgram.executable(fd: file.fd)
        // The first launch proves the walls with a canary; that belongs to no run.
        _ = try measure { try sandbox.launch(program, name: "bench") }
        for index in 0..<count {
            try print(line(index, measure { try sandbox.launch(program, name: "bench") }))
        }
    }

    /// One run, from the request to the end.
    private func measure(_ launch: () throws -> SandboxedProcess) throws -> Figures {
        let cpu = processorMicroseconds()
        let begin = microseconds()
        let process = try launch()
        var figures = Figures()
        try process.write(input)
        process.closeInput()
        while true {
            let bytes = try process.read(max: 65536)
            if figures.firstByte == 0 { figures.firstByte = microseconds() - begin }
            if bytes.isEmpty { break }
        }
        let outcome = process.finish()
        figures.wall = microseconds() - begin
        guard outcome.isClean else { throw Complaint(description: "the program ended by \(outcome.status)") }
        figures.hostCPU = processorMicroseconds() - cpu
        figures.start = outcome.startedMs * 1000
        figures.childCPU = outcome.usage.cpuSeconds * 1e6
        return figures
    }

    private func line(_ index: Int, _ figures: Figures) -> String {
        func text(_ value: Double) -> String { String(Int(value.rounded())) }
        return """
            {"run":\(index),"startUs":\(text(figures.start)),"firstByteUs":\(text(figures.firstByte)),\
            "wallUs":\(text(figures.wall)),"hostCPUUs":\(text(figures.hostCPU)),\
            "childCPUUs":\(text(figures.childCPU))}
            """
    }
}

/// What one run took, in microseconds.
struct Figures {
    var start = 0.0
    var firstByte = 0.0
    var wall = 0.0
    var hostCPU = 0.0
    var childCPU = 0.0
}

/// The monotonic clock.
func microseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Processor time of this process, all threads.
func processorMicroseconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}

func readFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
        throw Complaint(description: "\(path) cannot be opened: errno \(errno)")
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count <= 0 { return bytes }
        bytes += buffer.prefix(count)
    }
}

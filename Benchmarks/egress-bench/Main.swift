import EscrowDiagnostics
import Glibc

/// Measures what a request of a plugin costs, part by part.
///
///     egress-bench HOME APP PLUGIN ENDPOINT FIELDS MANIFEST
///
/// HOME is an escrow home that leads the endpoint's host to a stand-in, and allows APP the PLUGIN; FIELDS is JSON; MANIFEST
/// is the plugin's, as its author writes it. For each line of stdin, `CASE COUNT [THREADS [ENDPOINT]]`, it makes so many requests one
/// after another, on each thread, and prints a line of JSON: `us`, microseconds of each; `wallUs` and `cpuUs` of all.
@main
struct EgressBench {
    static func main() {
        do {
            let cases = try Cases(Array(CommandLine.arguments.dropFirst()))
            while let line = readLine() {
                let words = line.split(separator: " ").map(String.init)
                guard words.count >= 2, let count = Int(words[1]), let kind = Cases.Kind(rawValue: words[0])
                else { throw Complaint(description: "not understood: \(line)") }
                try measure(
                    cases, kind, count, threads: words.count > 2 ? Int(words[2]) ?? 1 : 1,
                    endpoint: words.count > 3 ? words[3] : nil)
            }
        } catch let error as Diagnostic {
            complain("\(error.code.rawValue): \(error.message)")
        } catch {
            complain("\(error)")
        }
    }

    private static func measure(
        _ cases: Cases, _ kind: Cases.Kind, _ count: Int, threads: Int, endpoint: String?
    ) throws {
        let workers = try (0..<threads).map { _ in Worker(try cases.make(kind, endpoint), count) }
        let (wall, cpu) = (microseconds(), processorMicroseconds())
        for worker in workers.dropFirst() { try worker.start() }
        workers[0].work()
        for worker in workers.dropFirst() { worker.join() }
        let (wallUs, cpuUs) = (Int(microseconds() - wall), Int(processorMicroseconds() - cpu))
        for worker in workers { if let failure = worker.failure { throw failure } }
        let each = workers.flatMap(\.took).map { String(Int($0 * 10)) }
        print("{\"tenthsUs\":[\(each.joined(separator: ","))],\"wallUs\":\(wallUs),\"cpuUs\":\(cpuUs)}")
        fflush(nil)
    }

    private static func complain(_ words: String) -> Never {
        let line = Array("egress-bench: \(words)\n".utf8)
        _ = write(2, line, line.count)
        exit(1)
    }
}

/// Why nothing was measured.
struct Complaint: Error, CustomStringConvertible {
    let description: String
}

/// Does one thing many times, on its own thread or the caller's. Nobody looks at it before it is done.
final class Worker: @unchecked Sendable {
    private(set) var took: [Double] = []
    private(set) var failure: (any Error)?
    private let count: Int
    private let action: () throws -> Void
    private var thread = pthread_t()

    init(_ action: @escaping () throws -> Void, _ count: Int) {
        self.action = action
        self.count = count
        took.reserveCapacity(count)
    }

    func work() {
        do {
            for _ in 0..<count {
                let start = microseconds()
                try action()
                took.append(microseconds() - start)
            }
        } catch {
            failure = error
        }
    }

    func start() throws {
        let error = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Worker>.fromOpaque(argument).takeRetainedValue().work()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        guard error == 0 else { throw Complaint(description: "no thread: errno \(error)") }
    }

    func join() { pthread_join(thread, nil) }
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
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return Double(seconds) * 1e6 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}

import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Pipes for a confined program in place of files among its first three descriptors. It could open those anew through `/proc`, and
/// read the whole of a log that it is to append to, or change what it is to read.
final class CarriedFiles: Sendable {
    private struct Pipe {
        /// The descriptors of this process that it stands for.
        let numbers: [Int32]
        let theirs: Int32
        let ours: Int32
        var isInput: Bool { numbers == [0] }
    }

    private let pipes: [Pipe]
    private let change = Condition()
    /// How many outputs are not written out yet; under the lock of `change`.
    private nonisolated(unsafe) var open: Int

    /// For a program that is about to be started, of these descriptors. E1258 where one is a folder: it leads to the folders around.
    init(of numbers: [Int32]) throws(Diagnostic) {
        var pipes: [Pipe] = []
        for number in numbers {
            var status = stat()
            guard fstat(number, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw Diagnostic(
                    .confinementMissing,
                    "descriptor \(number) is a folder, by which the program would leave its walls",
                    help: "run it without: escrow app run ID -- PROGRAM </dev/null")
            }
            guard status.st_mode & S_IFMT == S_IFREG, !pipes.contains(where: { $0.numbers.contains(number) })
            else { continue }
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw .file("a pipe", "cannot be made", errno) }
            for raw in ends { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
            // One for `>log 2>&1`, so that lines stay in their order.
            let isBoth = number == 1 && numbers.contains(2) && Self.isSame(1, 2)
            let (theirs, ours) = number == 0 ? (ends[0], ends[1]) : (ends[1], ends[0])
            pipes.append(Pipe(numbers: isBoth ? [1, 2] : [number], theirs: theirs, ours: ours))
        }
        self.pipes = pipes
        open = pipes.count { !$0.isInput }
    }

    private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one, &first) == 0 && fstat(other, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// What the program has as a descriptor; nil where it has this process's own.
    func side(for number: Int32) -> Int32? { pipes.first { $0.numbers.contains(number) }?.theirs }

    /// Begins, once the program has its ends.
    func carry() {
        for pipe in pipes {
            close(pipe.theirs)
            let (from, to) = pipe.isInput ? (0, pipe.ours) : (pipe.ours, pipe.numbers[0])
            let carry: @Sendable () -> Void = { [self] in
                Self.copy(from, to)
                close(pipe.ours)
                if !pipe.isInput { ended() }
            }
            if !SystemThread.start(name: "carry", carry), !pipe.isInput { ended() }
        }
    }

    /// Waits until all is written that the program wrote. Only after it ended.
    func finish() {
        change.lock()
        while open > 0 { change.wait() }
        change.unlock()
    }

    private func ended() {
        change.lock()
        open -= 1
        change.broadcast()
        change.unlock()
    }

    /// Until the end, or until nobody takes it.
    private static func copy(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = retrying({ read(from, &buffer, buffer.count) }), count > 0 {
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = retrying { rest.withUnsafeBytes { write(to, $0.baseAddress, $0.count) } }
                guard written > 0 else { return }
                rest = rest.dropFirst(written)
            }
        }
    }
}

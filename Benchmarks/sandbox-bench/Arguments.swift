import EscrowSandbox
import Glibc

/// What is to be measured.
struct Arguments: Sendable {
    var isWarm = false
    var image: [UInt8] = []
    /// The interpreter of a script; nil for an executable.
    var interpreter: String?
    var count = 0
    var input = Array("one row\n".utf8)
    var lowered: Set<Wall> = []
    var threads = 1
    var pause = 0
    /// A run for each line of stdin, told at once: for whoever measures others in turn with this.
    var isPaced = false

    init(_ words: [String]) throws {
        guard words.count >= 4, ["cold", "warm"].contains(words[1]), let count = Int(words[3]), count > 0
        else {
            throw Complaint(
                description: "usage: sandbox-bench cold|warm PROGRAM N [--input FILE] [--lower WALL] "
                    + "[--threads N] [--pause MICROSECONDS] [--pace stdin] [--interpreter NAME]")
        }
        isWarm = words[1] == "warm"
        self.count = count
        for index in stride(from: 4, to: words.count - 1, by: 2) {
            let value = words[index + 1]
            switch words[index] {
            case "--input": input = try readFile(value)
            case "--interpreter": interpreter = value
            case "--threads": threads = max(1, Int(value) ?? 1)
            case "--pace": isPaced = value == "stdin"
            case "--pause": pause = max(0, Int(value) ?? 0)
            case "--lower":
                guard let wall = Wall(rawValue: value) else {
                    throw Complaint(description: "no wall is called \(value)")
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
        let program: SandboxProgram =
            if let interpreter {
                .script(interpreter: interpreter, main: "main", files: [("main", file.fd)])
            } else {
                .executable(fd: file.fd)
            }
        let pool = isWarm ? WarmPool(sandbox: sandbox) : nil
        let bench = Bench(input: input) {
            guard let pool else { return try sandbox.launch(program, name: "bench") }
            return try pool.launch(program, identity: "bench", name: "bench")
        }
        // The first launch proves the walls with a canary; that belongs to no run.
        _ = try bench.measure()
        if isPaced {
            while readLine() != nil {
                print(try bench.measure().line)
                fflush(nil)
            }
        } else {
            try bench.run(count, threads: threads, pause: pause)
        }
        if let pool {
            print("{\"warm\":\(pool.counts.warm),\"cold\":\(pool.counts.cold),\"dead\":\(pool.counts.dead)}")
            pool.close()
        }
    }
}

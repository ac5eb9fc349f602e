import EscrowDiagnostics
import Glibc

/// What an ELF header says that matters before running it (System V gABI, chapters 4 and 5).
struct Executable {
    /// The dynamic loader that it asks for, if any.
    let loader: String?
    let hasWritableCode: Bool
    let hasExecutableStack: Bool

    enum Unfit: Error {
        case notELF
        case otherMachine
        case damaged
    }

    #if arch(x86_64)
    static let machine: UInt64 = 62
    static let machineName = "x86-64"
    #else
    static let machine: UInt64 = 183
    static let machineName = "arm64"
    #endif

    /// Reads the headers of an open file. Everything in it is untrusted.
    init(descriptor: Int32) throws(Unfit) {
        guard let header = Self.read(descriptor, offset: 0, count: 64),
            header[0..<4] == [0x7f, 0x45, 0x4c, 0x46]
        else { throw .notELF }
        // 64-bit, little-endian, version 1; an executable or a position-independent one.
        guard header[4] == 2, header[5] == 1, header[6] == 1, Self.number(header, 18, 2) == Self.machine
        else { throw .otherMachine }
        let type = Self.number(header, 16, 2)
        guard type == 2 || type == 3 else { throw .notELF }
        let table = Self.number(header, 32, 8)
        let count = Self.number(header, 56, 2)
        guard Self.number(header, 54, 2) == 56, count >= 1, count <= 128, table <= 1 << 40,
            let programs = Self.read(descriptor, offset: table, count: Int(count) * 56)
        else { throw .damaged }

        var loader: String?
        var hasWritableCode = false
        var hasExecutableStack = false
        for index in 0..<Int(count) {
            let at = index * 56
            let flags = Self.number(programs, at + 4, 4)
            switch Self.number(programs, at, 4) {
            case 1 where flags & 3 == 3: hasWritableCode = true
            case 3:
                let offset = Self.number(programs, at + 8, 8)
                let size = Self.number(programs, at + 32, 8)
                guard size > 1, size <= 4096, offset <= 1 << 40,
                    let bytes = Self.read(descriptor, offset: offset, count: Int(size))
                else { throw .damaged }
                loader = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            case 0x6474_e551 where flags & 1 == 1: hasExecutableStack = true
            default: break
            }
        }
        self.loader = loader
        self.hasWritableCode = hasWritableCode
        self.hasExecutableStack = hasExecutableStack
    }

    /// Bytes at an offset; nil where there are not so many.
    static func read(_ descriptor: Int32, offset: UInt64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    static func number(_ bytes: [UInt8], _ at: Int, _ size: Int) -> UInt64 {
        bytes[at..<at + size].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Throws unless the descriptor is a sealed memfd with a static executable that strict can run.
    static func checkStrict(_ descriptor: Int32) throws(Diagnostic) {
        try SealedFile.check(descriptor, "the plugin's executable")
        let refusal: String
        do {
            let executable = try Executable(descriptor: descriptor)
            if let loader = executable.loader {
                throw Diagnostic(
                    .notForStrict,
                    "the plugin's executable is not static: it asks for the loader \(loader.count <= 64 ? loader : "of a long name")",
                    help: "link it with -static (C) or -static-executable (Swift)")
            }
            if executable.hasWritableCode {
                refusal = "it has a segment that is writable and executable"
            } else if executable.hasExecutableStack {
                refusal = "its stack may be executed"
            } else {
                return
            }
        } catch let unfit as Unfit {
            refusal =
                switch unfit {
                case .notELF: "it is not an ELF program"
                case .otherMachine: "it is not for \(machineName)"
                case .damaged: "its program headers are damaged"
                }
        } catch let diagnostic as Diagnostic {
            throw diagnostic
        } catch {
            refusal = "it cannot be read"
        }
        throw Diagnostic(
            .notForStrict, "the plugin's executable cannot run in the strict profile: \(refusal)",
            help: "build a static executable for \(machineName); `readelf -lW FILE` shows its segments")
    }
}

import Glibc
import Testing

@testable import EscrowSandbox

@Suite struct PathPolicyTests {
    private func strict(_ path: PathPolicy.Path, flags: Int32 = O_RDONLY) -> PathPolicy.Answer {
        var policy = PathPolicy(.strict)
        return policy.decide(path, flags: UInt64(flags), fromDescriptor: false)
    }
    private func runtime(_ path: String, fromDescriptor: Bool = false) -> PathPolicy.Answer {
        var policy = PathPolicy(.runtime, trees: ["/opt/python"])
        return policy.decide(.text(path), flags: 0, fromDescriptor: fromDescriptor)
    }

    @Test func strictNeverRunsAnOpen() {
        for path in ["/proc/self/maps", "/usr/lib/locale/locale-archive", "/usr/share/zoneinfo/UTC"] {
            #expect(strict(.text(path)) == .refuse(ENOENT))
            #expect(strict(.text(path), flags: O_WRONLY) == .violation)
            #expect(strict(.text(path + "/../../..")) == .violation)
        }
        for path in [
            "/etc/passwd", "", "proc/self/maps", "/proc/self/maps2", "/usr/lib/localex", "//proc/self/maps",
        ] {
            #expect(strict(.text(path)) == .violation, "\(path)")
        }
        #expect(strict(.unreadable) == .refuse(ENOENT))
        #expect(strict(.badAddress) == .refuse(EFAULT))
        #expect(strict(.tooLong) == .violation)
    }

    @Test func refusalsAreCounted() {
        for path in [PathPolicy.Path.text("/proc/stat"), .unreadable, .badAddress] {
            var policy = PathPolicy(.strict)
            for _ in 0..<64 {
                #expect(policy.decide(path, flags: 0, fromDescriptor: false) != .violation)
            }
            #expect(policy.decide(path, flags: 0, fromDescriptor: false) == .violation)
        }
    }

    @Test func runtimeRunsWhatLiesInItsTrees() {
        for path in [
            "/usr/lib/python3.11/os.py", "/plugin/main", "/proc/self/maps", "/opt/python/x", "/etc/localtime",
        ] {
            #expect(runtime(path) == .run, "\(path)")
        }
        for path in [
            "/etc/passwd", "/home", "/usrx", "/opt", "/usr/../etc/passwd", "x", "<a/b>", "/proc/1/cwd/x",
        ] {
            #expect(runtime(path) == .violation, "\(path)")
        }
        #expect(runtime("/") == .refuse(EACCES))
        #expect(runtime("/usr/..") == .refuse(EACCES))
        #expect(runtime("//.jq") == .refuse(ENOENT))
        #expect(runtime("<string>") == .refuse(ENOENT))
        #expect(runtime("main", fromDescriptor: true) == .run)
        #expect(runtime("../x", fromDescriptor: true) == .violation)
        #expect(runtime("/etc/passwd", fromDescriptor: true) == .violation)
    }
}

import Foundation
import TemporaryFolder
import Testing

/// A confined program turns to what began it: the first process, descriptors, keys of the kernel's, and what it leaves behind.
@Suite(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
struct ConfinedEscapeTests {
    private let tests = ConfinementTests()

    private func python(
        _ service: RunningService, _ script: String, with more: [String: String] = [:]
    ) throws -> Escrow.Outcome {
        try Data(script.utf8).write(to: try tests.appHome(service).appending(path: "try.py"))
        return try tests.confined(service, "/usr/bin/python3", "/home/app/try.py", with: more)
    }

    /// A shell outside, in which `$RUN` runs the confined program.
    private func shell(_ service: RunningService, _ script: String) throws -> Escrow.Outcome {
        let app = ConfinementTests.app
        return try Escrow.start(
            ["-c", script], home: service.escrow.home, program: URL(filePath: "/bin/sh"),
            with: [
                "RUN": "\(Escrow.program.path) app run \(app) --runtime \(service.runtime.url.path) --",
                "XDG_STATE_HOME": service.escrow.folder.path + "/state",
            ])
    }

    @Test func thePersonsEnvironmentIsNotThereNorTheArgumentsOfTheWalls() throws {
        let (service, _) = try tests.service()
        let outcome = try python(
            service,
            """
            import glob
            for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
                try: print(open(path).read())
                except OSError: pass
            """, with: ["TOKEN_OF_THE_PERSON": ConfinementTests.marker])
        // The control: it saw its own.
        #expect(outcome.status == 0 && outcome.output.contains("ESCROW_SOCKET="), "\(outcome.words)")
        #expect(!outcome.output.contains(ConfinementTests.marker))
        #expect(!outcome.output.contains("--ro-bind") && !outcome.output.contains("--tmpfs"))
    }

    @Test func theFirstProcessIsNotTracedAndTheKernelsKeysAreNotReached() throws {
        let (service, _) = try tests.service()
        let outcome = try python(
            service,
            """
            import ctypes, errno, os, platform
            libc = ctypes.CDLL(None, use_errno=True)
            def error(result): return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]
            print(error(libc.ptrace(16, 1, 0, 0)))
            keys = (248, 250) if platform.machine() == "x86_64" else (217, 219)
            print(error(libc.syscall(keys[0], b"user", b"name", b"value", 5, -3)))
            print(error(libc.syscall(keys[1], 0, -3, 0)))
            """)
        #expect(outcome.output == "EPERM\nENOSYS\nENOSYS\n", "\(outcome.everything)")
    }

    @Test func noFileThatRunsAsItsOwnerIsLeftBehind() throws {
        let (service, _) = try tests.service()
        let outcome = try python(
            service,
            """
            import os
            os.chdir("/home/app")
            open("plain", "w").close()
            os.chmod("plain", 0o755)
            for attempt in (
                lambda: os.chmod("plain", 0o4755), lambda: os.fchmod(os.open("plain", os.O_RDONLY), 0o2755),
                lambda: os.open("a", os.O_CREAT | os.O_WRONLY, 0o4755), lambda: os.mknod("b", 0o104755),
                lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755),
            ):
                try: attempt()
                except PermissionError: print("refused")
            print(sum(os.stat(name).st_mode & 0o6000 != 0 for name in os.listdir(".")))
            """)
        #expect(outcome.output == String(repeating: "refused\n", count: 5) + "0\n", "\(outcome.everything)")
    }

    @Test func whatIsRedirectedIsNotOpenedAnew() throws {
        let (service, _) = try tests.service()
        let script = """
            import os
            for number, flags in ((0, os.O_WRONLY), (2, os.O_RDONLY | os.O_NONBLOCK)):
                try:
                    file = os.open("/proc/self/fd/%d" % number, flags)
                    print(os.write(file, b"changed") if number == 0 else os.read(file, 100))
                except OSError as error: print(type(error).__name__)
            os.write(2, b"an error\\n")
            """
        try Data(script.utf8).write(to: try tests.appHome(service).appending(path: "open.py"))
        let folder = service.escrow.folder.path
        let outcome = try shell(
            service,
            """
            cd \(folder); echo secret >log; echo input >input
            $RUN /usr/bin/python3 /home/app/open.py <input 2>>log; cat input log
            $RUN /bin/ls -l /proc/self/fd/0 <&-
            $RUN /bin/echo started <data
            """)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(!lines.prefix(2).joined().contains("secret"), "\(outcome.everything)")
        #expect(lines.dropFirst(2).prefix(3) == ["input", "secret", "an error"], "\(outcome.everything)")
        #expect(lines.last?.hasSuffix("-> /dev/null") == true, "\(outcome.everything)")
        #expect(outcome.words.contains("E1258"))
    }

    /// Whoever was handed the program's output holds it longer than the program lives: a second one of the same app, here.
    @Test func theCommandEndsWithTheProgramWhoeverHoldsItsOutput() throws {
        let (service, _) = try tests.service()
        let home = try tests.appHome(service)
        let give = """
            import array, socket
            s = socket.socket(socket.AF_UNIX); s.connect("/home/app/hand")
            s.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1]))]); s.recv(1)
            print("given")
            """
        let hold = """
            import socket
            s = socket.socket(socket.AF_UNIX); s.bind("/home/app/hand"); s.listen()
            print("ready", flush=True)
            c, _ = s.accept(); socket.recv_fds(c, 1, 1); c.send(b"y"); input()
            """
        try Data(give.utf8).write(to: home.appending(path: "give.py"))
        try Data(hold.utf8).write(to: home.appending(path: "hold.py"))
        let outcome = try shell(
            service,
            """
            cd \(service.escrow.folder.path); mkfifo in out
            $RUN /usr/bin/python3 /home/app/hold.py <in >out & exec 8>in 9<out; read -r line <&9; echo "$line"
            $RUN /usr/bin/python3 /home/app/give.py >file; echo $?; cat file
            echo >&8; wait; echo ended
            """)
        #expect(outcome.output == "ready\n0\ngiven\nended\n", "\(outcome.everything)")
    }

    @Test func filesAreReadAndWrittenAsWithoutWalls() throws {
        let (service, _) = try tests.service()
        let outcome = try shell(
            service,
            """
            cd \(service.escrow.folder.path); printf '1\\n2\\n3\\n' >lines
            while read -r line; do $RUN /bin/echo got $line; done <lines
            { $RUN /bin/true; cat; } <lines
            $RUN /bin/cat <lines | $RUN /usr/bin/wc -l
            $RUN /usr/bin/yes | head -n 1
            (trap '' XFSZ; ulimit -f 8; $RUN /usr/bin/head -c 100000 /dev/zero >full; echo $?)
            """)
        #expect(
            outcome.output == "got 1\ngot 2\ngot 3\n1\n2\n3\n3\ny\n1\n", "\(outcome.everything)")
        #expect(outcome.words.contains("what the program wrote"), "\(outcome.words)")
    }

    /// Another program at the pipe reads what was written into it by others.
    @Test func whatOthersWriteIntoTheSamePipeIsNotRead() throws {
        let (service, _) = try tests.service()
        let script = """
            import os
            try: print(os.read(os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK), 100))
            except OSError as error: print(type(error).__name__)
            """
        try Data(script.utf8).write(to: try tests.appHome(service).appending(path: "steal.py"))
        let outcome = try shell(
            service, "{ echo secret; $RUN /usr/bin/python3 /home/app/steal.py; } | cat")
        #expect(outcome.output == "secret\nBlockingIOError\n", "\(outcome.everything)")
    }

    @Test func whatTheShellIgnoresTheProgramIgnores() throws {
        let (service, _) = try tests.service()
        let script = "import signal; print([signal.getsignal(n) == signal.SIG_IGN for n in (1, 15)])"
        try Data(script.utf8).write(to: try tests.appHome(service).appending(path: "ignored.py"))
        let outcome = try shell(
            service,
            """
            $RUN /usr/bin/python3 /home/app/ignored.py
            (trap '' HUP; ulimit -n 100; $RUN /usr/bin/python3 /home/app/ignored.py)
            """)
        #expect(outcome.output == "[False, False]\n[True, False]\n", "\(outcome.everything)")
    }

    /// The program holds the pipe: its end is the program's.
    @Test func whoKillsTheCommandEndsTheProgramAndItsFolderGoes() throws {
        let (service, _) = try tests.service()
        let home = try tests.appHome(service)
        let outcome = try shell(
            service,
            """
            mkfifo \(home.path)/pipe
            $RUN /bin/sh -c 'exec 3>pipe; echo begun >&3; trap "" HUP TERM; mkfifo never; read -r x <never' &
            { read -r line; echo "$line"; kill -9 $!; cat; echo ended; } <\(home.path)/pipe
            $RUN /bin/echo again
            ls \(service.runtime.url.path)/apps
            """)
        #expect(outcome.output == "begun\nended\nagain\n", "\(outcome.everything)")
    }

    @Test func aSocketInAFolderIsFoundByTheCheck() throws {
        let (service, _) = try tests.service()
        let notes = service.escrow.folder.resolvingSymlinksInPath().appending(path: "notes").path
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: true)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (notes + "/s").utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(listener, 8) == 0)
        #expect(try service.run("app", "add", ConfinementTests.app, "--folder", notes).status == 0)
        let found = try service.run(
            "app", "check", ConfinementTests.app, "--runtime", service.runtime.url.path)
        #expect(found.status == 20 && found.output.contains("reached: \(notes)/s"), "\(found.everything)")
    }

    @Test func rootChangesNothingOfTheKernels() throws {
        guard geteuid() == 0 else { return }
        let (service, _) = try tests.service()
        let outcome = try tests.confined(
            service, "/bin/sh", "-c", "test -w /proc/sys/kernel/hostname || echo held")
        #expect(outcome.output == "held\n", "\(outcome.everything)")
    }
}

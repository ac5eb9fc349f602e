import EscrowDiagnostics
import EscrowFiles
import Glibc
import Testing

/// A full disk is told as one.
@Suite struct FullDiskTests {
    @Test func aFullDiskIsCalledFullAndTheFileByItsName() throws {
        let file = try Descriptor(opening: "/dev/full", O_WRONLY)
        do {
            try file.write([1])
            Issue.record("it was written")
        } catch {
            #expect(error.code == .fileOperation && error.message.hasPrefix("/dev/full cannot be written"))
            #expect(error.help?.contains("the disk is full") == true)
            #expect(error.help?.contains("as it was before") == true)
        }
    }

    @Test(arguments: [ENOSPC, EDQUOT]) func noRoomIsNoQuestionOfRights(_ code: Int32) {
        #expect(Diagnostic.file("x", "cannot be written", code).help?.contains("make room") == true)
        #expect(Diagnostic.file("x", "cannot be written", EACCES).help?.contains("make room") == false)
    }

    @Test func aFileThatIsToTakeAnothersPlaceGoesByTheOthersName() throws {
        let scratch = Scratch()
        let draft = "\(scratch.path)/grants.json.\(getpid()).new"
        let file = try Descriptor(opening: draft, O_RDONLY | O_CREAT)
        do {
            try file.write([1])
            Issue.record("it was written")
        } catch { #expect(error.message.hasPrefix("\(scratch.path)/grants.json cannot be written")) }
    }
}

import Glibc
import Testing

@testable import EscrowPageServer

/// Only the individual's own connections are let in, whoever else has an account on the machine.
@Suite struct LoopbackPeerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 00000000:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1151 1 0000000000000000 100 0 0 10 0
           1: 0100007F:9C40 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 1152 1 0000000000000000 20 4 30 10 -1
           2: 0100007F:C001 0100007F:9C40 01 00000000:00000000 00:00000000 00000000 65534        0 1153 1 0000000000000000 20 4 30 10 -1
           3: 0100007F:00FF 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 1154 1 0000000000000000 20 4 30 10 -1
           4: 0200007F:C002 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 1155 1 0000000000000000 20 4 30 10 -1

        """

    @Test(
        arguments: [
            (port: 0xC001, user: 65534), (0x00FF, 1000), (0xC002, nil), (0xC003, nil), (0x9C40, nil),
        ] as [(port: UInt16, user: uid_t?)])
    func theOtherEndIsWhoseTheKernelSays(port: UInt16, user: uid_t?) {
        let owner = LoopbackPeer.owner(of: port, to: 0x9C40, in: Array(Self.table.utf8))
        #expect(owner == user)
    }

    @Test(arguments: [
        "", "\n", "sl\n0: 0100007F:C001 0100007F:9C40\n",
        "sl\n0: 0100007F:C001 0100007F:9C40 01 a b c d x 0\n",
    ])
    func aTableThatIsNoneNamesNobody(table: String) {
        #expect(LoopbackPeer.owner(of: 0xC001, to: 0x9C40, in: Array(table.utf8)) == nil)
    }
}

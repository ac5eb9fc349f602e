extension ErrorPage {
    static let offloadPages = #"""
        ## E1200 no such server
        A run, a rule or a command names a server that was not added, or was removed.
        Do: `escrow server list` shows their names; `escrow server add FILE` adds one.

        ## E1201 the name belongs to another server
        A server's name is bound to its key for ever, so that what was allowed on `home` never holds for another machine.
        Do: give the new one another name: `escrow server add FILE --id NAME`.

        ## E1202 not the file of a server
        `escrow server add` reads what `escrow-server enrol` writes, and `escrow server require` what `escrow-server attest` does, whole and
        unchanged: each register of the machine's boot, and an end within three years.
        Do: let the server's owner run it again.

        ## E1203 the server does not answer
        Nobody listens at its address, or the network does not lead there. Nothing was sent.
        Do: `escrow server check NAME`; or run it here: `--server device`.

        ## E1204 a certificate of another authority
        What answers at the server's address is not vouched for by the authority that the server was added with. Nothing was sent.
        Example: somebody in between, or a server that was set up anew.
        Do: ask the server's owner; if it is new, add it under another name.

        ## E1205 the certificate is not valid today
        The server's certificate has expired or is not valid yet, by this device's clock. Nothing was sent.
        Do: let its owner run `escrow-server renew`; set this device's clock if it is wrong.

        ## E1206 another server of the same authority
        The authority vouches for what answers, but its key is not the one that this server was added with. Nothing was sent.
        Do: check the address; two servers may have changed places.

        ## E1207 the device is not enrolled
        The server does not know this device's certificate, revoked it, or it has expired. Nothing was sent.
        Do: let the server's owner run `escrow-server enrol` again, and add the new file.

        ## E1208 the connection broke
        The server, the way to it or the process that speaks with it was gone before the run ended. Nothing was returned. It is
        not tried again by itself: a plugin that sends could send twice.
        Do: `escrow server check NAME`, then run it again.

        ## E1209 the server broke the protocol
        It said something that no server says: a message of no kind, more than was asked for, or in the wrong order. It was left,
        and nothing was returned.
        Do: `escrow server remove NAME`, unless its owner knows why.

        ## E1210 the plugin is not registered there
        A server runs only what its owner registered. No data was sent.
        Do: let its owner run `escrow-server registry add FILE.escrow`.

        ## E1211 the plugin was revoked there
        The server's owner refuses this version for ever. No data was sent.
        Do: ask the owner why; install a later version.

        ## E1212 another version is registered there
        The server has the plugin, but not the very manifest that you decided about. No data was sent.
        Do: let its owner register the same package.

        ## E1213 a later version is registered there
        The server does not go back to an earlier version. No data was sent.
        Do: `escrow plugin install` the later version here.

        ## E1214 the plugin does not pass the server's checks
        The server verifies each plugin by its own trust before each run, and this one failed there. No data was sent.
        Do: let its owner look: `escrow-server trust list`, `escrow-server registry list`.

        ## E1215 the server has no room
        As many runs as it allows are under way, in all or by this device: one device has half of the places at most. No data was sent.
        Do: try again later, or run it here: `--server device`.

        ## E1216 the server cannot run it
        A wall of the server's sandbox is missing, or it cannot keep the limits. Nothing was returned.
        Do: `escrow server check NAME`; its owner finds more in what the server printed.

        ## E1217 not a plugin for this server
        You said which plugins the server may run, and this is none of them.
        Do: `escrow server add FILE --plugins ID`, or run it here.

        ## E1218 the plugin must not leave the device
        Its publisher says in the manifest that it runs on the device alone.
        Do: run it here: `--server device`.

        ## E1219 escrow-remote is missing
        Servers are spoken with by a program of its own, beside `escrow`, which is missing, does not start, or could have been put
        there by others; or it cannot shut itself in on this machine, and then reaches nobody.
        Do: `make offload` builds it beside `escrow`.

        ## E1220 a certificate is unfit
        A certificate or key of a server's folder cannot be read, or one does not fit the other.
        Do: `escrow-server renew`, or begin a new folder with `escrow-server init`.

        ## E1221 the server's folder is unfit
        There is none, there is one already where a new one was to be made, or a file in it is damaged.
        Do: `escrow-server init --folder FOLDER` makes one.

        ## E1222 memory may be written to a disk
        The machine has swap, and people's data on the server could land there.
        Do: `swapoff -a`, or run the server where the kernel swaps none of it: its systemd unit sets `MemorySwapMax=0`.

        ## E1223 the registry cannot be used
        The database that lists plugins and devices cannot be reached or read.
        Do: look at `registry` in the server's `server.json`.

        ## E1224 no server fits
        No server that you added may and can run this plugin, and this device may not either.
        Do: `escrow server list` shows what each may run.

        ## E1225 the server is late
        It did not answer in time. No data was sent.
        Do: `escrow server check NAME`.

        ## E1226 not registered here
        A command of `escrow-server` names a plugin or a device that its registry does not have.
        Do: `escrow-server registry list`, `escrow-server device list`.

        ## E1227 the server did not prove what it runs
        You required of the server that a TPM vouches for its boot state, its program and its policy, and what it showed does not. The
        note names why: `missing`, `unreadable`, `expired`, `endless`, `resettable`, `bootLeftOpen`, `wrongKey`, `notAQuote`,
        `wrongNonce`, `wrongChannel`, `wrongRegister`, `wrongMeasurements`, `wrongServer` or `wrongPolicy`. No data was sent.
        Do: ask its owner what changed. After an update on purpose: `escrow-server attest`, then `escrow server require NAME FILE`.

        ## E1228 the TPM cannot be used
        The TPM that `--tpm` names does not answer, or the register for the server's own measurements holds others.
        Do: `tpm2_getcap properties-fixed` shows whether there is one; start the machine anew after another program was measured.

        ## E1229 its code is on servers alone
        The publisher of this plugin shows its code to nobody but those who run servers (`"confidential": true`), so it cannot run on
        this device.
        Do: `escrow run PLUGIN --server NAME`, with a server that has it.
        """#
}

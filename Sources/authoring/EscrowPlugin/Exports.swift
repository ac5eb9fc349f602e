// A plugin's author imports one module: columns, batches and moments come with it.
@_exported public import EscrowTabular

"""Pure: what a cross-encoder reads of a record, and the order that follows from its scores and the fusion's."""

package io.cadastre.linux;

/// What makes two open files the same file.
record FileIdentity(long device, long inode) {}

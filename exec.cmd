@rem The scripts of package.json begin with `exec`, so that on POSIX npm's shell gives its place to Node and a signal sent to
@rem npm reaches the program (dash keeps a SIGINT to itself). Windows has no such command: its shell finds this one.
@%*

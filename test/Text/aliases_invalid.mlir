// Wrong aliases.
// RUN: cute-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{undefined symbol alias id 'u'}}
!v = !u
!u = !cute.layout<"4">

// -----

// expected-error @+1 {{undefined symbol alias id 'v'}}
!v = !v

// -----

!v = !cute.layout<"4">
// expected-error @+1 {{redefinition of type alias id 'v'}}
!v = !cute.layout<"5">

// -----

// expected-error @+1 {{'nosuch'}}
%0 = cute.static : !nosuch

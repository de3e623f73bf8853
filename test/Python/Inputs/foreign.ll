target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define float @twice(float %x) #0 {
  %y = fmul float %x, 2.0
  ret float %y
}

; Adds its number to each of n elements; gives n.
define i32 @add_numbers(ptr %p, i32 %n) #0 {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %place = getelementptr float, ptr %p, i32 %i
  %old = load float, ptr %place, align 4
  %number = sitofp i32 %i to float
  %sum = fadd float %old, %number
  store float %sum, ptr %place, align 4
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

attributes #0 = { "target-cpu"="sm_35" }

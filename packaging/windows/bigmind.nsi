; The installer of Windows: for one person, without an administrator. What was remembered is never touched.
; make_installer.py compiles it.

Unicode true
!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

!ifndef VERSION | PAYLOAD | SEPARATOR | ICON | OUTPUT
  !error "make_installer.py gives all of these"
!endif
!define ABOUT "Software\Microsoft\Windows\CurrentVersion\Uninstall\BigMind"
!define LOGIN "Software\Microsoft\Windows\CurrentVersion\Run"
!define LOGIN_APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
; PROCESSENTRY32W as the installer's own process has it.
!if "${NSIS_PTR_SIZE}" == 8
  !define ENTRY_BYTES 568
!else
  !define ENTRY_BYTES 556
!endif

Name "BigMind"
OutFile "${OUTPUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\BigMind"
InstallDirRegKey HKCU "${ABOUT}" "InstallLocation"
SetCompressor /SOLID lzma
ShowInstDetails nevershow
ShowUninstDetails nevershow
BrandingText " "
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "BigMind"
VIAddVersionKey "FileDescription" "BigMind: one long-term memory for every AI assistant"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

; The step of the release that signs: without keys it says that it did not.
!ifdef SIGN
  !finalize '${SIGN} "%1"' = 0
  !uninstfinalize '${SIGN} "%1"' = 0
!endif

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\bigmind-app.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open BigMind"
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE RefuseUnfitFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; A running BigMind finishes what it writes and ends. Then all other programs of this folder: bridges and hooks that IDEs
; started, a server of another data folder. Windows replaces and removes no file that runs, so half of each version would be
; left. What they were told is on disk once it was answered. Before, the programs get another name, which Windows allows
; while they run: an IDE starts its bridge and hooks again at once, in the midst of what is replaced or removed.
!macro EndRunning un
  Function ${un}EndRunning
    ${If} ${FileExists} "$INSTDIR\bigmind.exe"
      nsExec::Exec '"$INSTDIR\bigmind.exe" stop'
      Pop $0
    ${EndIf}
    Call ${un}DeleteOld
    Rename "$INSTDIR\bigmind.exe" "$INSTDIR\bigmind.exe.old"
    Rename "$INSTDIR\bigmind-app.exe" "$INSTDIR\bigmind-app.exe.old"
    System::Call 'kernel32::GetCurrentProcessId() i .r0'
    System::Call 'kernel32::CreateToolhelp32Snapshot(i 2, i 0) p .r1'
    System::Alloc ${ENTRY_BYTES}
    Pop $2
    System::Call '*$2(i ${ENTRY_BYTES})'
    System::Call 'kernel32::Process32FirstW(p r1, p r2) i .r3'
    ${DoWhile} $3 <> 0
      System::Call '*$2(i, i, i .r4)'
      ${If} $4 <> $0
        Call ${un}EndProgram
      ${EndIf}
      System::Call 'kernel32::Process32NextW(p r1, p r2) i .r3'
    ${Loop}
    System::Free $2
    System::Call 'kernel32::CloseHandle(p r1)'
    Call ${un}DeleteOld
  FunctionEnd

  Function ${un}DeleteOld
    Delete "$INSTDIR\bigmind.exe.old"
    Delete "$INSTDIR\bigmind-app.exe.old"
  FunctionEnd

  ; The process $4, where its program lies in this folder.
  Function ${un}EndProgram
    StrLen $9 "$INSTDIR\"
    ; To be asked for its program, ended and waited for.
    System::Call 'kernel32::OpenProcess(i 0x101001, i 0, i r4) p .r5'
    ${If} $5 P<> 0
      System::Call 'kernel32::QueryFullProcessImageNameW(p r5, i 0, w .r6, *i ${NSIS_MAX_STRLEN}) i .r7'
      StrCpy $8 $6 $9
      ${If} $7 <> 0
      ${AndIf} $8 == "$INSTDIR\"
        System::Call 'kernel32::TerminateProcess(p r5, i 1)'
        System::Call 'kernel32::WaitForSingleObject(p r5, i 10000)'
      ${EndIf}
      System::Call 'kernel32::CloseHandle(p r5)'
    ${EndIf}
  FunctionEnd
!macroend
!insertmacro EndRunning ""
!insertmacro EndRunning "un."

; Explorer hands it to the terminals that it opens. Whoever does not answer is waited for no longer.
!macro TellOfSearchPath un
  Function ${un}TellOfSearchPath
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
  FunctionEnd
!macroend
!insertmacro TellOfSearchPath ""
!insertmacro TellOfSearchPath "un."

; Tried before anything is ended: into a folder such as that of all users' programs only an administrator may write. Where
; another folder is chosen after all, none is left here that was not there before: $1 is the one that was.
Function RefuseFolderOfAdministrators
  StrCpy $1 "$INSTDIR"
  ${Do}
    ${GetParent} "$1" $2
    ${If} $2 == ""
    ${OrIf} ${FileExists} "$1\*.*"
      ${ExitDo}
    ${EndIf}
    StrCpy $1 $2
  ${Loop}
  CreateDirectory "$INSTDIR"
  ClearErrors
  FileOpen $0 "$INSTDIR\bigmind-install.tmp" w
  ${If} ${Errors}
    StrCpy $0 ""
  ${Else}
    FileClose $0
    Delete "$INSTDIR\bigmind-install.tmp"
  ${EndIf}
  StrCpy $2 "$INSTDIR"
  ${DoWhile} $2 != $1
    RMDir "$2"
    ${GetParent} "$2" $2
  ${Loop}
  ${If} $0 == ""
    MessageBox MB_OK|MB_ICONEXCLAMATION "BigMind cannot be installed in $INSTDIR: you may not write there. Choose a folder of your own; it needs no administrator." /SD IDOK
    ${If} ${Silent}
      SetErrorLevel 2
    ${EndIf}
    Abort
  ${EndIf}
FunctionEnd

; Removing BigMind takes `lib` and `licenses` along: a folder that has others of that name is not installed into. What an
; uninstall could not remove, as Windows held it, is refused too: from outside it looks like anybody's. An install that
; broke off left the list of parts of the version before.
Function RefuseFolderOfOthers
  ${IfNot} ${FileExists} "$INSTDIR\bigmind.exe"
  ${AndIfNot} ${FileExists} "$INSTDIR\bigmind.cdx.json"
    ${If} ${FileExists} "$INSTDIR\lib\*.*"
    ${OrIf} ${FileExists} "$INSTDIR\licenses\*.*"
      MessageBox MB_OK|MB_ICONEXCLAMATION "BigMind cannot be installed in $INSTDIR: it has a folder named lib or licenses, and removing BigMind would delete that too.$\r$\n$\r$\nChoose another folder. If these are left over from an earlier BigMind, delete them (restart Windows if they are in use) and try again." /SD IDOK
      ${If} ${Silent}
        SetErrorLevel 2
      ${EndIf}
      Abort
    ${EndIf}
  ${EndIf}
FunctionEnd

; Asked when the page is left: `.onVerifyInstDir` can only gray out its button, and a person is to be told why; and before
; anything is written, as a silent install (`/S`) has no page.
Function RefuseUnfitFolder
  Call RefuseFolderOfAdministrators
  Call RefuseFolderOfOthers
FunctionEnd

Section "BigMind"
  Call RefuseUnfitFolder
  Call EndRunning
  ; What an older version had and this one has not must not be loaded by it. Only where one is: whoever chooses a folder of
  ; their own may have a `lib` in it.
  ${If} ${FileExists} "$INSTDIR\bigmind.cdx.json"
    RMDir /r "$INSTDIR\lib"
  ${EndIf}
  SetOutPath "$INSTDIR"
  ClearErrors
  File /r "${PAYLOAD}${SEPARATOR}*"
  ${If} ${Errors}
    SetErrorLevel 2
    MessageBox MB_OK|MB_ICONEXCLAMATION "BigMind is not installed whole: some of its files are in use.$\r$\n$\r$\nClose your IDEs, and run this installer again." /SD IDOK
    Abort
  ${EndIf}
  ; Of two folders the first one in the search path would be started: one that was installed into before leaves it.
  ReadRegStr $0 HKCU "${ABOUT}" "InstallLocation"
  ${If} $0 != ""
  ${AndIf} $0 != "$INSTDIR"
  ${AndIf} ${FileExists} "$0\bigmind.exe"
    nsExec::Exec '"$0\bigmind.exe" search-path remove'
    Pop $1
  ${EndIf}
  ; In a terminal, `bigmind` is a command from now on. The uninstaller is called as it is because it becomes one, too.
  nsExec::Exec '"$INSTDIR\bigmind.exe" search-path add'
  Pop $0
  Call TellOfSearchPath
  CreateShortcut "$SMPROGRAMS\BigMind.lnk" "$INSTDIR\bigmind-app.exe"
  WriteUninstaller "$INSTDIR\bigmind-uninstall.exe"
  WriteRegStr HKCU "${ABOUT}" "DisplayName" "BigMind"
  WriteRegStr HKCU "${ABOUT}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${ABOUT}" "DisplayIcon" "$INSTDIR\bigmind-app.exe"
  WriteRegStr HKCU "${ABOUT}" "Publisher" "BigMind"
  WriteRegStr HKCU "${ABOUT}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${ABOUT}" "UninstallString" '"$INSTDIR\bigmind-uninstall.exe"'
  WriteRegStr HKCU "${ABOUT}" "QuietUninstallString" '"$INSTDIR\bigmind-uninstall.exe" /S'
  WriteRegDWORD HKCU "${ABOUT}" "NoModify" 1
  WriteRegDWORD HKCU "${ABOUT}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${ABOUT}" "EstimatedSize" $0
SectionEnd

; The start at login goes with the program that it starts; that of another installation stays.
Function un.EndStartAtLogin
  ReadRegStr $0 HKCU "${LOGIN}" "BigMind"
  StrCpy $1 $0 1
  ${If} $1 == '"'
    StrCpy $0 $0 "" 1
  ${EndIf}
  StrLen $2 "$INSTDIR\"
  StrCpy $0 $0 $2
  ${If} $0 == "$INSTDIR\"
    DeleteRegValue HKCU "${LOGIN}" "BigMind"
    DeleteRegValue HKCU "${LOGIN_APPROVED}" "BigMind"
  ${EndIf}
FunctionEnd

Section "Uninstall"
  nsExec::Exec '"$INSTDIR\bigmind.exe" search-path remove'
  Pop $0
  Call un.TellOfSearchPath
  Call un.EndRunning
  RMDir /r "$INSTDIR\lib"
  RMDir /r "$INSTDIR\licenses"
  Delete "$INSTDIR\bigmind.exe"
  Delete "$INSTDIR\bigmind-app.exe"
  Delete "$INSTDIR\bigmind.cdx.json"
  Delete "$INSTDIR\bigmind-uninstall.exe"
  ; Only when it is empty: whoever put something there keeps it.
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\BigMind.lnk"
  Call un.EndStartAtLogin
  DeleteRegKey HKCU "${ABOUT}"
  ReadEnvStr $0 "BIGMIND_HOME"
  ${If} $0 == ""
    StrCpy $0 "$LOCALAPPDATA\BigMind"
  ${EndIf}
  MessageBox MB_OK "BigMind is removed. What it remembers stays in $0; delete that folder if you do not want it any more.$\r$\n$\r$\nIDEs that were connected still name BigMind: delete 'bigmind' in their settings." /SD IDOK
SectionEnd
